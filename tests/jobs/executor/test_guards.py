"""The guard table through the executor: one test for each of its cells, against the simulated account."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlmodel import Session

from pods.guards import EVERYWHERE, GUARDS, Bound, Job, Need, OnKeep, OnPause, Path
from pods.keeps import cover
from simulator.runpod.pod import Pod
from storage.database import Database
from storage.deed import DeedState
from storage.keep import Keep, give_keep, keeps_of
from storage.question import open_questions
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests.jobs.executor.conftest import MINUTE, Desk
from tests.jobs.executor.paths import Situation, shut, write
from tests.wireless import world_without_sockets
from tests.world import World

BEGUN = frozenset({DeedState.CONFIRMING, DeedState.DONE})
SWITCHES = {Job.NEVER_RAN: ARMED_NEVER_RAN, Job.STALE: ARMED_STALE}
NEEDS = [(path, need) for path in Path for need in Need if need in EVERYWHERE | GUARDS[path].needs]


@pytest.fixture
def engine_name() -> str:
    """The guards themselves are pure; what is stored is proved on both engines elsewhere."""
    return "sqlite"


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    """How RunPod's answers come in makes no difference to the guards."""
    async with world_without_sockets(database) as made:
        yield made


@pytest.mark.parametrize("path", Path)
async def test_with_every_guard_open_the_path_acts_once(desk: Desk, path: Path) -> None:
    _, deed, calls = await Situation(desk, path).acts()

    assert deed.state in BEGUN
    assert calls == 1


@pytest.mark.parametrize(("path", "need"), NEEDS)
async def test_each_need_alone_keeps_its_path_from_acting(desk: Desk, path: Path, need: Need) -> None:
    pod, deed, calls = await shut(desk, path, need).acts()

    assert calls == 0
    assert deed.state is DeedState.REFUSED
    assert await desk.guard_that_refused(pod) == need


def _kept(session: Session, desk: Desk, pod: Pod, *, knowing: bool) -> None:
    now = desk.world.clock.now()
    told_at = now - MINUTE if knowing else None
    until = now + timedelta(hours=1)
    assert give_keep(session, Keep("k", pod.id, desk.alice, "person", now, until, told_never_ran_at=told_at))


@pytest.mark.parametrize("path", Path)
async def test_what_a_keep_that_came_later_does_to_a_path(desk: Desk, path: Path) -> None:
    on_keep = GUARDS[path].on_keep
    knowing = on_keep is OnKeep.KNOWING_STOPS
    one = Situation(desk, path, after=write(lambda *at: _kept(*at, knowing=knowing)))
    if on_keep is OnKeep.FLAG_STOPS:
        one.takes = {"keep_on_failure": True}

    pod, deed, calls = await one.acts()

    stopped = on_keep not in (OnKeep.NOTHING, OnKeep.STAYS)
    why = "kept_since" if on_keep is OnKeep.LIFTED else "kept"
    assert (deed.state is DeedState.REFUSED, calls == 0) == (stopped, stopped)
    assert await desk.guard_that_refused(pod) == (why if stopped else None)
    [keep] = await desk.do(lambda session: keeps_of(session, pod.id))
    assert keep.lifted_by is None


async def test_an_owners_yes_lifts_the_keep_that_was_shown(desk: Desk) -> None:
    endless = write(
        lambda session, desk, pod: give_keep(
            session, Keep("k", pod.id, desk.dana, "person", desk.world.clock.now(), None)
        )
    )
    shown = {"evidence": {"kept": cover(None, unreadable=True, now=desk.world.clock.now())}}

    pod, _, calls = await Situation(desk, Path.OWNER, between=endless, wants=shown).acts()

    assert calls == 1
    [keep] = await desk.do(lambda session: keeps_of(session, pod.id))
    assert keep.lifted_by is not None


async def test_a_keep_not_given_in_the_knowledge_that_it_never_ran_does_not_stop_the_watcher(
    desk: Desk,
) -> None:
    after = write(lambda *at: _kept(*at, knowing=False))

    _, _, calls = await Situation(desk, Path.NEVER_RAN, after=after).acts()

    assert calls == 1


async def test_a_plain_keep_does_not_stop_a_provisions_own_teardown(desk: Desk) -> None:
    after = write(lambda *at: _kept(*at, knowing=False))

    _, _, calls = await Situation(desk, Path.PROVISION_TEARDOWN, after=after).acts()

    assert calls == 1


@pytest.mark.parametrize("path", Path)
async def test_what_disarming_does_to_a_path(desk: Desk, path: Path) -> None:
    async def disarm(desk: Desk, _: Pod) -> None:
        for switch in SWITCHES.values():
            await desk.turns(switch, "off")

    pod, deed, calls = await Situation(desk, path, after=disarm).acts()

    needs_arming = GUARDS[path].arming is not None
    assert (deed.state is DeedState.REFUSED, calls == 0) == (needs_arming, needs_arming)
    assert await desk.guard_that_refused(pod) == ("disarmed" if needs_arming else None)


@pytest.mark.parametrize("path", Path)
async def test_what_a_pause_does_to_a_path(desk: Desk, path: Path) -> None:
    async def pause(desk: Desk, _: Pod) -> None:
        await desk.turns(PAUSED)

    one = Situation(desk, path, after=pause)
    pod, deed, calls = await one.acts()
    await desk.turns(PAUSED, "off")
    await desk.looks(1)
    await desk.works()

    put_off = GUARDS[path].on_pause is OnPause.PUT_OFF
    assert calls == 0
    assert deed.state is (DeedState.DUE if put_off else DeedState.REFUSED)
    assert await desk.guard_that_refused(pod) == (None if put_off else "paused")
    assert one.calls() == (1 if put_off else 0)


def _over(path: Path, desk: Desk) -> Situation | None:
    """The path with its limit used up; None: it is only counted."""
    match GUARDS[path].bound:
        case Bound.COUNTED:
            return None
        case Bound.SHOWN:
            return Situation(desk, path, wants={"shown": False})
        case Bound.ONE_AT_A_TIME:
            return Situation(desk, path, between=_another_end_by_dana)
        case Bound.AGENT_PER_DAY:
            return Situation(desk, path, policy={"agent_ends_per_day": 0})
        case Bound.NEVER_RAN:
            return Situation(desk, path, policy={"never_ran_max_per_day": 0})
        case Bound.STALE:
            return Situation(desk, path, policy={"max_reaps_per_day": 0})


async def _another_end_by_dana(desk: Desk, _: Pod) -> None:
    other = await desk.rents("other")
    await desk.wants(other, Path.ADMIN, actor=desk.dana, reason="as costly")
    await desk.world.passes(MINUTE)


LIMITED = [path for path in Path if GUARDS[path].bound is not Bound.COUNTED]


@pytest.mark.parametrize("path", LIMITED)
async def test_a_path_over_its_limit_does_not_act(desk: Desk, path: Path) -> None:
    one = _over(path, desk)
    assert one is not None

    pod, deed, calls = await one.acts()

    assert (deed.state, calls) == (DeedState.REFUSED, 0)
    assert await desk.guard_that_refused(pod) in ("over_limit", "not_shown", "one_at_a_time")


@pytest.mark.parametrize("why", ["kept", "over the limit"])
async def test_an_agents_end_that_it_may_not_decide_becomes_a_question_to_the_owner(
    desk: Desk, why: str
) -> None:
    one = Situation(desk, Path.AGENT)
    if why == "kept":
        one.after = write(lambda *at: _kept(*at, knowing=False))
    else:
        one.policy = {"agent_ends_per_day": 0}

    pod, _, calls = await one.acts()

    [card] = await desk.do(open_questions)
    assert (card.kind, card.pod_id, card.asked, calls) == ("card", pod.id, desk.alice, 0)
    assert await desk.letters("card") == [desk.alice]


COMING_UP: dict[str, object] = {"allocation_s": 0, "pull_s": 0, "start_s": 125}
"""A pod that two listings a minute apart show before it runs."""


@pytest.mark.parametrize("path", [Path.OWNER, Path.AGENT])
async def test_an_end_asked_for_of_a_pod_that_came_up_since_the_last_listing_is_done(
    desk: Desk, path: Path
) -> None:
    one = Situation(desk, path, takes=COMING_UP, after=_a_while_passes)

    pod, _, calls = await one.acts()

    assert (await desk.guard_that_refused(pod), calls) == (None, 1)


@pytest.mark.parametrize("path", [Path.OWNER, Path.AGENT])
async def test_a_pod_that_came_up_and_was_restarted_since_is_not_ended(desk: Desk, path: Path) -> None:
    one = Situation(desk, path, takes=COMING_UP, after=_comes_up_and_starts_anew)

    pod, _, calls = await one.acts()

    assert (await desk.guard_that_refused(pod), calls) == (Need.FINGERPRINT_UNCHANGED, 0)


async def _a_while_passes(desk: Desk, _: Pod) -> None:
    await desk.world.passes(MINUTE / 2)


async def _comes_up_and_starts_anew(desk: Desk, pod: Pod) -> None:
    await desk.looks(1)
    desk.world.runpod.console.restart(pod.id, by="console:bob")
    await desk.world.passes(MINUTE / 2)
