"""The search for a free machine: which call comes next, when, and when to give up."""

from dataclasses import replace
from datetime import datetime, timedelta

from pods.provision.decision import Policy
from pods.provision.effects import Create
from pods.provision.refusals import Refusal, refusal_of
from pods.provision.seen import Lost, NotSent, Refused, Seen
from pods.provision.table import Event
from pods.provision.value import CallState, Capacity, CreateCall, Provision

_FIRST_PAUSE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(minutes=10)
_FOR_GOOD = {
    Refusal.BALANCE: Event.BALANCE,
    Refusal.SPENDING_LIMIT: Event.SPENDING_LIMIT,
    Refusal.OVER_LIMIT: Event.OVER_LIMIT,
    Refusal.PROVIDER: Event.PROVIDER_REFUSED,
}


def after_answer(
    provision: Provision, call: CreateCall, answer: Refused | NotSent | Lost, now: datetime
) -> Provision:
    """The provision after a create call that was not answered with a pod."""
    refusal, retry_after = _meaning(answer)
    text = answer.text if isinstance(answer, Refused) else answer.why
    capacity = replace(provision.capacity, last_refusal=refusal, last_text=text[:500])
    others = tuple(one for one in provision.calls if one.number != call.number)
    match refusal:
        case Refusal.UNKNOWN:
            lost = replace(call, state=CallState.LOST, ended_at=now)
            return replace(provision, calls=(*others, lost), capacity=_next_type(provision, capacity, now))
        case Refusal.NO_CAPACITY:
            return replace(provision, calls=others, capacity=_next_type(provision, capacity, now))
        case Refusal.NOT_NOW:
            pause = max(retry_after or timedelta(0), _pause(capacity.put_off) / 6)
            put_off = replace(capacity, put_off=capacity.put_off + 1, retry_at=now + pause)
            return replace(provision, calls=others, capacity=put_off)
        case Refusal.BALANCE | Refusal.SPENDING_LIMIT | Refusal.OVER_LIMIT | Refusal.PROVIDER:
            return replace(provision, calls=others, capacity=capacity)


def _meaning(answer: Refused | NotSent | Lost) -> tuple[Refusal, timedelta | None]:
    match answer:
        case Lost():
            return Refusal.UNKNOWN, None
        case NotSent():
            return Refusal.NOT_NOW, answer.retry_after
        case Refused():
            return answer.meaning or refusal_of(answer.status, answer.text), answer.retry_after


def _next_type(provision: Provision, capacity: Capacity, now: datetime) -> Capacity:
    """The search one GPU type further; after the last one it pauses, longer each time."""
    following = capacity.next_gpu + 1
    if following < len(provision.order.gpus):
        return replace(capacity, next_gpu=following, put_off=0, retry_at=None)
    retry_at = now + _pause(capacity.rounds)
    if provision.order.wait_capacity and capacity.first_call_at:
        last_try = capacity.first_call_at + provision.order.wait_capacity
        retry_at = min(retry_at, last_try) if last_try > now else retry_at
    return replace(capacity, next_gpu=0, rounds=capacity.rounds + 1, put_off=0, retry_at=retry_at)


def _pause(times: int) -> timedelta:
    return min(_FIRST_PAUSE * (1 << min(times, 10)), _LONGEST_PAUSE)


def given_up(provision: Provision, now: datetime, policy: Policy) -> Event | None:
    """The event with which the search ends in vain; `None` while it may go on."""
    capacity = provision.capacity
    if capacity.first_call_at is None:
        return None
    if capacity.last_refusal and (event := _FOR_GOOD.get(capacity.last_refusal)):
        return event
    patience = provision.order.wait_capacity or timedelta(0)
    if capacity.last_refusal is Refusal.NO_CAPACITY and not _died(provision):
        next_round_at = capacity.retry_at if capacity.next_gpu == 0 else None
        over = next_round_at is not None and next_round_at > capacity.first_call_at + patience
        return Event.NO_CAPACITY if over else None
    over = now >= capacity.first_call_at + max(patience, policy.ssh_wait)
    return Event.PROVIDER_REFUSED if over else None


def _died(provision: Provision) -> bool:
    """Whether we died during the last call, so that its answer will never come."""
    last = provision.capacity.calls_made
    return any(call.number == last and call.state is CallState.OPEN for call in provision.calls)


def is_settled(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> bool:
    """No call is unanswered, or all were looked for in vain, freshly, until their time was over."""
    ends = [(call.ended_at or call.asked_at) + policy.create_settle for call in provision.unresolved]
    if not ends:
        return True
    looked = seen.candidates is not None and not seen.clock_doubtful
    after_a_gap = provision.deadline is not None and now < provision.deadline
    return looked and now >= max(ends) and not after_a_gap


def next_call(provision: Provision, seen: Seen, now: datetime) -> tuple[Provision, Create]:
    """The next create call, and the provision with its intent written down."""
    gpu = provision.order.gpus[provision.capacity.next_gpu]
    number = provision.capacity.calls_made + 1
    call = CreateCall(number, seen.token, gpu, _places(provision, seen, gpu), now)
    capacity = replace(
        provision.capacity,
        calls_made=number,
        retry_at=None,
        first_call_at=provision.capacity.first_call_at or now,
    )
    intent = replace(provision, calls=(*provision.calls, call), capacity=capacity)
    return intent, Create(number, call.token, gpu, call.data_centers)


def _places(provision: Provision, seen: Seen, gpu: str) -> tuple[str, ...]:
    """The data centres to ask for; empty: anywhere. Bad places are avoided while there are others."""
    order = provision.order
    bad = {place for type_, place in seen.bad_places if type_ == gpu}
    if not bad or (order.network_volume and not order.data_centers):
        return order.data_centers
    offered = order.data_centers or seen.places.get(gpu, ())
    return tuple(place for place in offered if place not in bad) or order.data_centers
