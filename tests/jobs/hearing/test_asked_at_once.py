"""What is asked at once: what becomes of a failed provision's pod, also of its asker, and whose a copy is."""

from collections.abc import AsyncIterator
from datetime import datetime

import pytest
from sqlmodel import Session, select

from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource, Withdrawal
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.pod import Pod
from storage.claim import say
from storage.database import Database
from storage.person import Person, put_people
from storage.provision import CreateCallRow
from storage.question import Question, decide
from storage.switches import ARMED_STALE, PAUSED
from tests.watching import HOUR, MINUTE, STEP, Watch, rents_ours, turn, watched
from tests.wireless import world_without_sockets
from tests.world import World

BERLIN_NIGHT = datetime.fromisoformat("2026-03-02T23:30:00+01:00")


@pytest.fixture
def engine_name() -> str:
    """Nothing is stored here that is not stored on both engines in the tests of who hears of what."""
    return "sqlite"


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    """A world in which few looks are needed, and an hour is long for what is stopped."""
    async with world_without_sockets(database) as made:
        yield made.with_settings(policy=Policy(max_gap=6 * HOUR, stale_after=HOUR))


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


async def heard(watch: Watch, *kinds: str) -> list[tuple[str, str]]:
    """What was written to whom, by name."""
    world = watch.world
    names = {world.slack.people.alice.id: "alice", world.slack.people.bob.id: "bob"}
    names |= {world.house.ops_channel: "ops"}
    return sorted((one.kind, names.get(one.target, one.target)) for one in await watch.written(*kinds))


async def copied(watch: Watch, pod: Pod) -> Pod:
    """A second pod with the marks of the create call that made this one."""
    made = select(CreateCallRow.token).where(CreateCallRow.pod_id == pod.id)
    token = await watch.world.house.db.read(lambda session: session.exec(made).one())
    return watch.world.runpod.rent("copy", by="console:alice", env={"PODKEEPER_CREATE": token})


async def alice_sleeps(world: World) -> None:
    """It is half past eleven where she is."""
    now, alice = world.clock.now(), world.slack.people.alice.id
    berlin = Person(alice, "alice", None, "Europe/Berlin", *(False,) * 4, now)
    await world.house.db.run(lambda session: put_people(session, [berlin]))
    await world.passes(BERLIN_NIGHT - now)


async def test_a_failed_pod_left_alive_is_put_to_whoever_asked_for_it_too(watch: Watch) -> None:
    bob = watch.world.slack.people.bob.id
    await rents_ours(watch.world, outcome=Outcome.PREFLIGHT_FAILED, asker=bob)

    await watch.for_(STEP)
    at_once = await heard(watch)
    await watch.for_(HOUR)

    assert at_once == [("card", "alice"), ("card", "bob")]
    assert len(await watch.questions()) == 1
    assert await heard(watch, "reminder") == [("reminder", "alice"), ("reminder", "bob")]


async def test_nobody_is_asked_before_a_second_look_agrees_with_the_first(world: World) -> None:
    watch = Watch(world)
    await rents_ours(world, outcome=Outcome.PREFLIGHT_FAILED)

    await watch.look()
    before = await heard(watch)
    await watch.for_(STEP)

    assert (before, await heard(watch)) == ([], [("card", "alice")])


async def test_a_failed_pod_that_an_agent_asked_for_is_put_to_its_owner_alone(watch: Watch) -> None:
    await rents_ours(watch.world, outcome=Outcome.PREFLIGHT_FAILED, asker="robot")

    await watch.for_(STEP)

    assert await heard(watch) == [("card", "alice")]


async def test_a_pod_with_the_marks_of_another_of_ours_is_asked_about_once(watch: Watch) -> None:
    ours = await rents_ours(watch.world)
    await watch.for_(STEP)
    copy = await copied(watch, ours)

    await watch.for_(5 * STEP, every=STEP)

    [question] = await watch.questions()
    assert (question.reason, question.pod_id) == ("moved_or_copied", copy.id)
    assert await heard(watch) == [("card", "alice")]


@pytest.mark.parametrize(
    ("answer", "verdict"), [("mine", "keep running"), ("not mine", "keep not_ours")], ids=["mine", "not mine"]
)
async def test_a_copy_is_asked_about_until_its_owner_has_said_whose_it_is(
    watch: Watch, answer: str, verdict: str
) -> None:
    copy = await copied(watch, await rents_ours(watch.world))
    await watch.for_(STEP)
    before = await watch.verdict(copy)

    await _says(watch.world, copy, answer)
    await watch.for_(STEP)

    assert (before, await watch.verdict(copy)) == ("ask moved_or_copied", verdict)


async def _says(world: World, pod: Pod, answer: str) -> None:
    await world.passes(MINUTE)
    pod_id, alice, now = PodId(pod.id), UserId(world.slack.people.alice.id), world.clock.now()
    mine = Claim(pod_id, alice, now, ClaimSource.PERSON)
    said = mine if answer == "mine" else Withdrawal(pod_id, alice, now)

    def write(session: Session) -> None:
        say(session, said)

    await world.house.db.run(write)


async def test_the_question_whose_a_copy_is_waits_until_its_owner_is_awake(watch: Watch) -> None:
    await alice_sleeps(watch.world)
    await copied(watch, await rents_ours(watch.world))

    await watch.for_(STEP)

    [card] = await watch.written("card")
    assert card.due_at == datetime.fromisoformat("2026-03-03T08:00:00+01:00")


async def test_a_failed_pod_left_alive_waits_for_nobody_to_be_awake(watch: Watch) -> None:
    await alice_sleeps(watch.world)
    await rents_ours(watch.world, outcome=Outcome.PREFLIGHT_FAILED)

    await watch.for_(STEP)

    [card] = await watch.written("card")
    assert card.urgent
    assert card.due_at is not None
    assert card.due_at <= watch.world.clock.now()


async def test_what_was_decided_just_now_is_not_asked_again_before_that_can_have_been_done(
    watch: Watch,
) -> None:
    await rents_ours(watch.world, outcome=Outcome.PREFLIGHT_FAILED)
    await watch.for_(50 * MINUTE)
    [question] = await watch.questions()

    await _ends(watch.world, question)
    await watch.for_(30 * MINUTE)
    soon = await heard(watch, "card")
    await watch.for_(4 * HOUR, every=HOUR)

    assert (len(soon), len(await heard(watch, "card"))) == (1, 2)


async def test_a_pod_that_was_asked_about_and_started_anew_is_asked_about_anew(watch: Watch) -> None:
    pod = await rents_ours(watch.world, outcome=Outcome.PREFLIGHT_FAILED)
    await watch.for_(STEP)

    watch.world.runpod.console.restart(pod.id, by="console:alice")
    await watch.for_(HOUR + STEP)

    assert await heard(watch, "card") == [("card", "alice")] * 2


async def test_while_everything_is_paused_an_audit_asks_about_what_it_would_end(watch: Watch) -> None:
    await turn(watch.world, ARMED_STALE)
    await turn(watch.world, PAUSED)
    pod = await rents_ours(watch.world)
    await watch.for_(STEP)
    watch.world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(2 * HOUR, every=HOUR)

    await watch.watcher.stale_audit()

    assert await watch.verdict(pod) == "reap stale paused"
    assert await heard(watch, "card", "notice") == [("card", "alice")]


async def test_once_a_pause_is_over_what_was_asked_about_is_announced_before_it_ends(watch: Watch) -> None:
    await turn(watch.world, ARMED_STALE)
    await turn(watch.world, PAUSED)
    pod = await rents_ours(watch.world)
    await watch.for_(STEP)
    watch.world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(2 * HOUR, every=HOUR)
    await watch.watcher.stale_audit()

    await turn(watch.world, PAUSED, "off")
    await watch.for_(HOUR)
    await watch.watcher.stale_audit()

    assert await watch.verdict(pod) == "reap stale notice"
    assert [one.kind for one in await watch.questions()] == ["notice"]


async def _ends(world: World, question: Question) -> None:
    """Alice says *End*, and then nothing comes of it."""
    now, alice = world.clock.now(), world.slack.people.alice.id
    assert await world.house.db.run(lambda session: decide(session, question.id, alice, "end", now, None))
