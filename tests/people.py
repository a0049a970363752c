"""What the people of a life do: rent, order, stop, say yes, call off; each by the product's own way in."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlmodel import Session

from jobs.executor.requesting import Wanted, request_deed
from pods.guards import Path
from pods.order import Order
from pods.provision.entering import begin
from pods.provision.outcomes import Outcome
from pods.provision.stages import Stage
from pods.provision.value import CallState, CreateCall
from simulator.runpod.history import rent
from simulator.runpod.pod import Pod
from simulator.runpod.refusal import RefusedError
from storage.keep import Keep, give_keep
from storage.keys import new_key
from storage.ledger import Asked, provision_of, take, wish, write
from storage.pod import is_known
from storage.provision_asks import call_off
from tests.ledger import enter
from tests.life import AGENT, HOUR, Life, Mine
from tests.wireless import ALICE
from tests.world import IMAGE

KEPT_FOR = 12 * HOUR
GPU = "NVIDIA H100 80GB HBM3"


@dataclass(frozen=True, slots=True)
class Fate:
    """What is laid out for a pod of ours, and what its owner wants of it from the beginning."""

    owner: str = ALICE
    stuck: bool = False
    """Its container never starts."""
    dies_after: timedelta | None = None
    """So long after its start its container dies, and RunPod says RUNNING on."""
    errs_after: timedelta | None = None
    ends_after: timedelta | None = None
    """`--for`."""
    kept: bool = False
    failed: bool = False
    """Its bootstrap failed, and left it alive."""
    agents: bool = False
    """The agent's order."""


async def rent_ours(life: Life, fates: Iterable[Fate]) -> None:
    """Provisions that are over, each with its pod. (Those on their way are `order`.)"""
    made = [(fate, _rent(life, fate)) for fate in fates]

    def write_all(session: Session) -> None:
        for fate, pod in made:
            _enter(session, life, fate, pod)

    await life.house.db.run(write_all)
    now = life.clock.now()
    for fate, pod in made:
        fence_at = now + fate.ends_after if fate.ends_after else None
        kept_until = now + KEPT_FOR if fate.kept else None
        life.ours[pod.id] = Mine(fate.owner, now, fate.agents, kept_until, fate.failed, fence_at)
        if fate.stuck or fate.failed or fate.dies_after or fate.errs_after:
            life.unwell.add(pod.id)


def _rent(life: Life, fate: Fate) -> Pod:
    plan: dict[str, object] = {"stuck_in": "RUNNING"} if fate.stuck else {}
    if fate.dies_after is not None:
        plan["container_dies_after_s"] = fate.dies_after.total_seconds()
    if fate.errs_after is not None:
        plan["error_after_s"] = fate.errs_after.total_seconds()
    return rent(life.fleet, "train", by="api:bot", **plan)  # type: ignore[arg-type]


def _enter(session: Session, life: Life, fate: Fate, pod: Pod) -> None:
    now = life.clock.now()
    enter(
        session,
        pod.id,
        fate.owner,
        now,
        name=f"train{pod.id}",
        outcome=Outcome.BOOTSTRAP_FAILED if fate.failed else Outcome.READY,
        agent=AGENT if fate.agents else None,
        fence_at=now + fate.ends_after if fate.ends_after else None,
    )
    if fate.kept:
        give_keep(session, Keep(new_key(), pod.id, fate.owner, "person", now, now + KEPT_FOR))


def rent_somebodys(life: Life, *, stuck: bool) -> None:
    """Carol rents by hand, and calls it as ours are called."""
    plan: dict[str, object] = {"stuck_in": "STARTING"} if stuck else {}
    rent(life.fleet, "train", by="console:carol", **plan)  # type: ignore[arg-type]


async def order(life: Life, owner: str) -> str:
    """A pod is ordered, and its container will never start. Returns the provision's id."""
    house, now, key = life.house, life.clock.now(), new_key()
    wished = Order(name=f"stuck{key}", gpus=(GPU,), image=IMAGE, disk_gb=50)
    provision = begin(key, wished, now, house.waits)
    asked = Asked(owner, owner, "slack")
    await house.db.run(lambda session: wish(session, provision, asked, now))
    life.ordered[key] = owner
    return key


async def call_it_off(life: Life, provision: str) -> None:
    """Whoever ordered it does not want it any more."""
    now, by = life.clock.now(), life.ordered[provision]
    if await life.house.db.run(lambda session: call_off(session, provision, by, now)):
        life.called_off.add(provision)


def act(life: Life, choice: int, what: str) -> None:
    """Somebody stops, starts or ends a pod in the console."""
    living = life.living()
    if not living:
        return
    do = {"stop": life.fleet.stop, "start": life.fleet.start, "terminate": life.fleet.terminate}[what]
    try:
        do(living[choice % len(living)].id, "console:somebody")
    except RefusedError:
        return
    if what == "terminate":
        life.odd_until = life.clock.now() + 3 * life.pace.poll


async def say(life: Life, pod_id: str, path: str, actor: str) -> bool:
    """A person, an admin or an agent wants a pod ended or stopped, having seen it. False: nobody knows it."""
    agent = AGENT if path == Path.AGENT else None
    wanted = Wanted(path=path, pod_id=pod_id, actor=actor, reason="not needed", shown=True, agent=agent)

    def asks(session: Session) -> bool:
        return is_known(session, pod_id) and request_deed(session, life.house, wanted).path == path

    asked = await life.house.db.run(asks)
    if asked:
        life.ours[pod_id].wishes[path] = life.clock.now()
    return asked


async def lose_a_create(life: Life, owner: str) -> str:
    """An order of which nobody knows whether RunPod has carried it out, and that nobody has in hand."""
    now, key = life.clock.now(), new_key()
    wished = Order(name=f"lost{key}", gpus=(GPU,), image=IMAGE, disk_gb=50)
    asked = Asked(owner, owner, "slack")
    call = CreateCall(1, new_key(), GPU, (), now, CallState.LOST, now)

    def write_it(session: Session) -> None:
        provision = begin(key, wished, now, life.house.waits)
        wish(session, provision, asked, now)
        taken = take(session, key, timedelta(minutes=1))
        assert taken is not None
        sent = replace(provision, stage=Stage.CREATING, calls=(call,))
        assert write(session, taken, sent, now, None, let_go=True)

    await life.house.db.run(write_it)
    life.lost_creates[key] = (owner, now)
    return key


async def find_it(life: Life, provision: str) -> None:
    """RunPod had refused it after all."""

    def write_it(session: Session) -> None:
        taken = take(session, provision, timedelta(minutes=1))
        assert taken is not None
        over = replace(provision_of(taken), stage=Stage.FAILED, outcome=Outcome.PROVIDER_REFUSED)
        assert write(session, taken, over, life.clock.now(), None, let_go=True)

    await life.house.db.run(write_it)
    del life.lost_creates[provision]


def be_stubborn(life: Life, pod_id: str, *, stubborn: bool) -> None:
    """RunPod takes no end of this pod, or takes them again."""
    if life.fleet.find(pod_id) is not None:
        life.quirks.pod(pod_id, terminate_answers=500 if stubborn else None, terminate_works=not stubborn)
