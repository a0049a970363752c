"""Pods in the simulated account, as the database knows them after a look at it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from bot.standing import standing
from pods.ids import PodId, UserId
from pods.order import Order
from pods.ownership import Claim, ClaimSource, Ownership
from pods.phase import phase_of
from pods.provision.entering import begin
from pods.provision.outcomes import ENDINGS, Outcome
from pods.provision.value import CallState, CreateCall
from pods.provision.value import Pod as BoundPod
from pods.snapshot import Snapshot
from storage.claim import say
from storage.keys import new_key
from storage.ledger import Asked, take, wish, write
from storage.listing import ListingPass, record_listing
from storage.pod import put_listing
from tests.world import World


async def looked(world: World) -> None:
    """One complete look at the account, a second later than any before it, written down."""
    await world.passes(timedelta(seconds=1))
    listing = await world.house.runpod.list_pods()
    phases = {
        PodId(pod.pod_id): phase_of(pod.status, shows_life=pod.shows_life)
        for pod in listing.pods.values()
        if isinstance(pod, Snapshot)
    }

    def work(session: Session) -> None:
        put_listing(session, listing, phases)
        record_listing(session, ListingPass(listing.at, None, True, True, len(listing.pods)))

    await world.house.db.run(work)


async def foreign(world: World, name: str, **plan: Any) -> str:
    """A pod that somebody rented without us. Returns its id."""
    pod = world.runpod.rent(name, created=world.clock.now() - timedelta(hours=1), **plan)
    await looked(world)
    return str(pod.id)


async def owned(world: World, name: str, owner: str, **plan: Any) -> str:
    """A pod that a provision of ours made for this person. Returns its id."""
    pod_id = await rented(world, name, owner, **plan)
    await looked(world)
    return pod_id


async def rented(world: World, name: str, owner: str, **plan: Any) -> str:
    """The same, that nobody has looked at yet."""
    now = world.clock.now()
    begun = begin(new_key(), Order(name, ("NVIDIA A40",)), now, world.house.waits)
    pod = world.runpod.rent(f"{name}-{begun.id}", created=now - timedelta(hours=1), **plan)
    call = CreateCall(1, new_key(), "NVIDIA A40", (), now, CallState.BOUND, now, pod.id)
    ready = replace(
        begun,
        stage=ENDINGS[Outcome.READY].stage,
        calls=(call,),
        pod=BoundPod(pod.id, 1, "NVIDIA A40", now, 0.4),
        outcome=Outcome.READY,
    )

    def work(session: Session) -> None:
        wish(session, begun, Asked(owner, owner, "slack"), now)
        taken = take(session, begun.id, timedelta(minutes=1))
        assert taken is not None
        assert write(session, taken, ready, now, None, let_go=True)

    await world.house.db.run(work)
    return str(pod.id)


async def claimed(world: World, pod_id: str, owner: str) -> None:
    """A person says that the pod is theirs, now."""
    claim = Claim(PodId(pod_id), UserId(owner), world.clock.now(), ClaimSource.PERSON)
    await world.house.db.run(lambda session: say(session, claim))


async def whose(world: World, pod_id: str) -> Ownership:
    """Whose the pod is, as the doors see it now."""
    now, settle = world.clock.now(), world.house.policy.claim_settle
    return await world.house.db.read(lambda session: standing(session, pod_id, now, settle))


async def later(world: World) -> None:
    """What is said next is said after what was said before."""
    await world.clock.pass_by(timedelta(minutes=1))
