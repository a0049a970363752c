"""What people read of ends, in the simulated Slack, whose rules it has to pass."""

from datetime import timedelta

import pytest

from bot.ends.kinds import END_KINDS
from jobs.executor.requesting import Wanted, request_deed
from jobs.executor.words import CHANGED
from jobs.outbox.sending import Sender
from pods.guards import Path
from simulator.runpod.pod import Pod
from storage.deed import Deed, DeedRow, DeedState
from storage.outbox import Letter, send
from storage.rows import change
from tests.watching import Watch, rents_ours, watched
from tests.world import World

EVIL = "<!channel> *bold* `x` <@U1> &"


@pytest.fixture
def engine_name() -> str:
    """What is drawn is the same from either database."""
    return "sqlite"


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


async def act(watch: Watch, pod: Pod, path: str, **changes: object) -> Deed:
    """A deed as the executor leaves it."""
    world, by = watch.world, watch.world.slack.people
    actor = by.dana.id if path == Path.ADMIN else by.alice.id
    wanted = Wanted(path=path, pod_id=pod.id, actor=actor, reason=EVIL, agent="robot")
    deed = await world.house.db.run(lambda session: request_deed(session, world.house, wanted))
    now = world.clock.now()
    over = {"answered_at": now, "finished_at": now, "attempts": 1, **changes} if changes else {}
    if over:
        await world.house.db.run(
            lambda session: change(session, DeedRow, DeedRow.id == deed.id, **over)  # type: ignore[arg-type]
        )
    return deed


async def alice_reads(watch: Watch, kind: str, deed: Deed) -> str:
    world = watch.world
    letter = Letter(f"a {kind}", world.slack.people.alice.id, kind, {"deed": deed.id})
    await world.house.db.run(lambda session: send(session, letter, world.clock.now()))
    await Sender(world.house, END_KINDS).run()
    return world.slack.people.alice.reads("dm")


@pytest.mark.parametrize(
    ("path", "changes", "sentence"),
    [
        (Path.OWNER, {"state": DeedState.DONE}, "is gone: ended at"),
        (Path.OWNER, {"state": DeedState.DONE, "attempts": 0}, "was gone already; I had nothing to end."),
        (Path.AGENT, {"state": DeedState.DONE}, "ended by your agent robot at"),
        (Path.STOP, {"state": DeedState.DONE}, "is stopped. What was on its container disk is gone"),
        (
            Path.OWNER,
            {"state": DeedState.REFUSED, "outcome": "everything is paused"},
            ": everything is paused. Nothing was done to it.",
        ),
        (
            Path.OWNER,
            {"state": DeedState.FAILED, "outcome": "RunPod says no."},
            "RunPod says no. It goes on costing",
        ),
    ],
)
async def test_each_outcome_is_told_in_a_sentence(
    watch: Watch, path: str, changes: dict[str, object], sentence: str
) -> None:
    pod = await rents_ours(watch.world)
    await watch.for_(timedelta(minutes=2))

    told = await alice_reads(watch, "deed_told", await act(watch, pod, path, **changes))

    assert sentence in told
    assert pod.id in told


@pytest.mark.parametrize(("path", "label"), [(Path.OWNER, "Terminate"), (Path.STOP, "Stop")])
async def test_what_was_not_done_because_the_pod_changed_can_be_asked_for_once_more(
    watch: Watch, path: str, label: str
) -> None:
    pod = await rents_ours(watch.world)
    await watch.for_(timedelta(minutes=2))
    refused = {"state": DeedState.REFUSED, "outcome": CHANGED}

    told = await alice_reads(watch, "deed_told", await act(watch, pod, path, **refused))

    assert "has changed since it was decided. Nothing was done to it." in told
    await watch.world.slack.people.alice.sees_button(label, in_="dm")


async def test_what_was_not_done_for_another_reason_has_no_button(watch: Watch) -> None:
    pod = await rents_ours(watch.world)
    await watch.for_(timedelta(minutes=2))
    refused = {"state": DeedState.REFUSED, "outcome": "it is locked at RunPod"}

    await alice_reads(watch, "deed_told", await act(watch, pod, Path.OWNER, **refused))

    await watch.world.slack.people.alice.sees_no_button("Terminate", in_="dm")


async def test_the_owner_reads_who_ended_a_pod_and_why_in_harmless_words(watch: Watch) -> None:
    pod = await rents_ours(watch.world)
    await watch.for_(timedelta(minutes=2))

    told = await alice_reads(watch, "deed_told", await act(watch, pod, Path.ADMIN, state=DeedState.DONE))

    assert "ended by @dana" in told
    assert "<!channel>" in told


async def test_the_owner_is_warned_and_can_undo_an_admins_end(watch: Watch) -> None:
    pod = await rents_ours(watch.world)
    await watch.for_(timedelta(minutes=2))

    told = await alice_reads(watch, "admin_ends", await act(watch, pod, Path.ADMIN))

    assert "@dana ends your pod" in told
    assert "The reason given: " in told
    assert "Undo" in told


async def test_nothing_is_told_of_what_is_still_under_way(watch: Watch) -> None:
    pod = await rents_ours(watch.world)
    await watch.for_(timedelta(minutes=2))

    told = await alice_reads(watch, "deed_told", await act(watch, pod, Path.OWNER))

    assert pod.id not in told
