"""`/pod keep POD DURATION [reason]`, also `extend`; `/pod unkeep POD`; *Keep for…* in a pod's thread."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.approvals.asked import redraw_about
from bot.approvals.decision import Act, Wish
from bot.approvals.elsewhere import answered
from bot.fleet.naming import meant, the_pod
from bot.fleet.views import PodView, view
from bot.keep.giving import keep_pod, too_long
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable
from bot.table import Typed
from bot.text import mention, when, word
from jobs.house import House
from pods.durations import continues_duration, format_duration, parse_duration
from storage.columns import JsonObject
from storage.keep import lift_keeps
from storage.trail import Event, record


async def run_keep(house: House, typed: Typed) -> None:
    """Protect a pod for a time."""
    example = "`/pod keep train-7b 2d long evaluation`"
    if len(typed.words) < 2:
        raise Declined(f"Say which pod and for how long, like {example}.")
    pod = await _meant(house, typed.words[0])
    lasting, reason = _lasting_and_reason(typed.words[1:], example)
    longest = house.answers.keep_max
    if lasting > longest:
        still = _as_before(pod, house.clock.now())
        raise Declined(f"A keep may last {format_duration(longest)} at most; give it again later. {still}")
    await keep_and_tell(house, typed, pod.pod_id, lasting, reason)


async def keep_and_tell(
    house: House, to: Answerable, pod_id: str, lasting: timedelta, reason: str | None
) -> None:
    """Keep it and say so, or say why not."""
    if lasting > house.answers.keep_max:
        raise Declined(too_long(house.answers.keep_max))
    now = house.clock.now()
    is_admin = to.user in house.admins

    def work(session: Session) -> str:
        pod = _allowed(session, house, to.user, pod_id)
        until = now + lasting
        keep_pod(session, pod, f"keep {to.key}", to.user, until, reason, now, is_admin=is_admin)
        answered(session, house, to, pod, Wish(Act.KEEP, lasting), until.isoformat(), None)
        redraw_about(session, pod_id, now)
        after = view(session, pod_id, now, house.policy.claim_settle)
        return _told(after or pod)

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, to, told)


async def run_unkeep(house: House, typed: Typed) -> None:
    """Take every keep of a pod away."""
    if len(typed.words) != 1:
        raise Declined("Say which pod, like `/pod unkeep train-7b`.")
    found = await _meant(house, typed.words[0])
    now = house.clock.now()

    def work(session: Session) -> str:
        pod = _allowed(session, house, typed.user, found.pod_id)
        lifted = lift_keeps(session, pod.pod_id, typed.user, now)
        if not lifted:
            return f"*{word(pod.name)}* is not kept, so there is nothing to take away."
        facts: JsonObject = {"lifted": lifted, "key": typed.key}
        record(session, Event(now, typed.user, "pod.unkept", pod.pod_id, facts))
        redraw_about(session, pod.pod_id, now)
        return f"*{word(pod.name)}* is not kept any more. Its end, if one was ordered, stays where it is."

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, typed, told)


def _allowed(session: Session, house: House, user: str, pod_id: str) -> PodView:
    """The pod, if this person may keep it. Raises Declined with the reason otherwise."""
    pod = view(session, pod_id, house.clock.now(), house.policy.claim_settle)
    if pod is None:
        raise Declined("I know no such pod any more. `/pod list` shows yours.")
    name = f"*{word(pod.name)}*"
    if pod.gone_at is not None:
        raise Declined(f"{name} is gone since {when(pod.gone_at)}; there is nothing left to keep.")
    if pod.is_mine(user) or user in house.admins:
        return pod
    if pod.owner is None:
        raise Declined(
            f"Nobody has said whose {name} is. If it is yours: `/pod claim {pod.pod_id}`, then keep it."
        )
    raise Declined(f"{name} is {mention(pod.owner)}'s; only they or an admin can keep it.")


def _lasting_and_reason(words: tuple[str, ...], example: str) -> tuple[timedelta, str | None]:
    """`2d why not` and `2 days why not`."""
    typed, rest = words[0], words[1:]
    while rest and continues_duration(typed.split()[-1], rest[0]):
        typed, rest = f"{typed} {rest[0]}", rest[1:]
    try:
        lasting = parse_duration(typed)
    except ValueError as error:
        raise Declined(f"{str(error)[:1].upper()}{str(error)[1:]}. For example: {example}.") from error
    return lasting, " ".join(rest) or None


def _as_before(pod: PodView, now: datetime) -> str:
    """Nothing was done: what holds for it."""
    if not pod.keeps.covers(now):
        return "It is not kept."
    ends_at = None if pod.keeps.unreadable else pod.keeps.kept_until
    until = f" until {when(ends_at)}" if ends_at else ""
    return f"It stays kept{until}, as it was."


def _told(pod: PodView) -> str:
    until = f" until {when(pod.keeps.kept_until)}" if pod.keeps.kept_until else ""
    fence = f" It ends by itself at {when(pod.fence_at)}, not earlier." if pod.fence_at else ""
    return f"*{word(pod.name)}* is kept{until}.{fence}"


async def _meant(house: House, typed: str) -> PodView:
    now, settle = house.clock.now(), house.policy.claim_settle
    return the_pod(await house.db.read(lambda session: meant(session, typed, now, settle)), typed)
