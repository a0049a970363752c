"""Sending one create call, once, and what its answer means."""

from gateways.runpod.errors import (
    AnswerUnknown,
    Cannot,
    NotFound,
    RateLimited,
    RefusalReason,
    RunPodError,
    Unauthorized,
    Unreachable,
)
from gateways.runpod.errors import Refused as RefusedByRunPod
from jobs.house import House
from jobs.provision.ceilings import over_a_ceiling
from jobs.provision.orders import create_order
from pods.provision.effects import Create
from pods.provision.refusals import Refusal
from pods.provision.seen import Created, Lost, NotSent, Refused
from pods.provision.value import Provision
from pods.snapshot import Snapshot

_MEANING = {
    RefusalReason.NO_CAPACITY: Refusal.NO_CAPACITY,
    RefusalReason.BALANCE: Refusal.BALANCE,
    RefusalReason.SPENDING_LIMIT: Refusal.SPENDING_LIMIT,
    RefusalReason.INVALID: Refusal.PROVIDER,
    RefusalReason.PROVIDER: Refusal.PROVIDER,
}
Answer = Created | Refused | NotSent | Lost


async def send(house: House, provision: Provision, create: Create, owner: str) -> Answer:
    """Send it, if no ceiling forbids it. Whatever is not surely refused or unsent may have made a pod."""
    try:
        too_much = await over_a_ceiling(house, provision, create.gpu, owner)
    except RunPodError as error:
        return NotSent(create.call, error.sentence)
    if too_much is not None:
        return Refused(create.call, 0, too_much, meaning=Refusal.OVER_LIMIT)
    order = await create_order(house, provision, create, owner)
    try:
        made = await house.runpod.create(order)
    except RunPodError as error:
        return _answer(create.call, error)
    finally:
        house.listing.forget()
    if isinstance(made, Snapshot):
        return Created(create.call, made.pod_id, made.created_at, made.usd_per_hour, made.data_center)
    return Created(create.call, made.pod_id, None, None)


def _answer(call: int, error: RunPodError) -> Answer:
    match error:
        case RefusedByRunPod(reason=reason):
            return Refused(call, 400, error.sentence, meaning=_MEANING[reason])
        case Unauthorized() | Cannot() | NotFound():
            return Refused(call, 403, error.sentence, meaning=Refusal.PROVIDER)
        case RateLimited(retry_after=pause):
            return NotSent(call, error.sentence, pause)
        case Unreachable():
            return NotSent(call, error.sentence)
        case AnswerUnknown():
            return Lost(call, error.sentence)
        case _:
            return Lost(call, error.sentence)
