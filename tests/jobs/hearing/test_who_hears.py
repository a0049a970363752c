"""Who hears of what, and when, over a simulated account: rows of the outbox and questions, each once."""

from datetime import datetime

import pytest

from jobs.hearing.passing import Hearing
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.pod import Pod
from storage.claim import say
from storage.keep import Keep, give_keep
from storage.person import Person, put_people
from storage.question import expire
from storage.switches import ARMED_STALE
from tests.watching import DAY, HOUR, MINUTE, STEP, Watch, heard, rents_ours, turn, watched
from tests.world import World

BERLIN_NIGHT = datetime.fromisoformat("2026-03-02T23:30:00+01:00")
QUICK = Policy(stale_after=HOUR, stale_notice=HOUR, max_gap=6 * HOUR, never_ran_min_observations=2)


@pytest.fixture
def world(world: World) -> World:
    """A world in which few looks are needed, and an hour is long for what is stopped."""
    return world.with_settings(policy=QUICK)


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


async def claims(world: World, pod: Pod, who: str) -> None:
    now = world.clock.now()
    claim = Claim(PodId(pod.id), UserId(who), now, ClaimSource.PERSON)
    await world.house.db.run(lambda session: say(session, claim))


async def test_an_owner_is_asked_at_the_grace_and_not_a_look_before(world: World, watch: Watch) -> None:
    await rents_ours(world, stuck_in="RUNNING")

    await watch.for_(20 * MINUTE)
    before = await watch.written()
    await watch.for_(STEP)

    assert before == []
    assert heard(await watch.written(), world) == [("card", "alice")]
    assert (await watch.written())[0].urgent


async def test_the_second_time_an_urgent_matter_is_said_the_ops_channel_hears_it_too(
    world: World, watch: Watch
) -> None:
    await rents_ours(world, stuck_in="RUNNING")

    await watch.for_(24 * MINUTE)
    await watch.for_(HOUR)

    again = (await watch.written())[1:]
    assert sorted(heard(again, world)) == [("pod_state", "ops"), ("reminder", "alice")]
    assert len(await watch.questions()) == 1


async def test_two_processes_say_it_once(world: World, watch: Watch) -> None:
    await rents_ours(world, stuck_in="RUNNING")
    await watch.for_(24 * MINUTE)

    await Hearing(world.house).run()
    await Hearing(world.house).run()

    assert heard(await watch.written(), world) == [("card", "alice")]


async def test_what_nobody_answered_is_not_asked_again_but_said_again(world: World, watch: Watch) -> None:
    await rents_ours(world, stuck_in="RUNNING")
    await watch.for_(24 * MINUTE)
    [question] = await watch.questions()
    assert question.expires_at is not None

    await world.passes(question.expires_at - world.clock.now())
    await world.house.db.run(lambda session: expire(session, question.id, world.clock.now()))
    await watch.look()

    assert await watch.questions() == []
    assert sorted(heard(await watch.written(), world)) == [
        ("card", "alice"),
        ("pod_state", "ops"),
        ("reminder", "alice"),
    ]


async def test_a_stuck_pod_of_nobody_is_one_line_at_the_hard_cap_and_never_a_card(
    world: World, watch: Watch
) -> None:
    world.runpod.rent("stuck", by="console:carol", stuck_in="RUNNING")

    await watch.for_(59 * MINUTE)
    before = await watch.written()
    await watch.for_(3 * HOUR, every=HOUR)

    assert before == []
    assert heard(await watch.written(), world) == [("pod_state", "ops")]
    assert await watch.questions() == []


async def test_the_first_day_on_a_full_account_is_one_message_and_no_cards(world: World) -> None:
    for n in range(60):
        created = world.runpod.ago(hours=100)
        pod = world.runpod.rent(f"pod{n}", by="console:carol", created=created, stuck_in="RUNNING")
        if n % 3 == 0:
            world.runpod.quirks.pod(pod.id, error_after_s=0)
    watch = Watch(world)

    await watch.for_(3 * MINUTE, every=MINUTE)
    await watch.for_(4 * HOUR, every=HOUR)

    assert heard(await watch.written(), world) == []
    assert heard(await watch.written("first_day"), world) == [("first_day", "ops")]


async def test_before_the_account_was_seen_whole_nobody_hears_of_it(world: World) -> None:
    await rents_ours(world, error_after_s=0)
    watch = Watch(world)
    await watch.look()
    world.runpod.quirks.account.listing = "html"

    await watch.for_(HOUR)

    assert await watch.written("first_day", "card", "pod_state") == []


async def test_an_account_of_nobody_else_is_not_announced(world: World) -> None:
    watch = Watch(world)

    await watch.for_(3 * MINUTE, every=MINUTE)

    assert await watch.written("first_day") == []


async def test_a_pod_in_error_is_asked_about_after_half_an_hour(world: World, watch: Watch) -> None:
    await rents_ours(world, error_after_s=0)
    await watch.for_(STEP)

    await watch.for_(28 * MINUTE)
    before = await watch.written()
    await watch.for_(STEP)

    assert before == []
    assert heard(await watch.written(), world) == [("card", "alice")]


async def test_a_runtime_that_was_missed_in_three_looks_is_not_lost_yet(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    world.runpod.quirks.pod(pod.id, runtime="null")

    await watch.for_(HOUR, every=20 * MINUTE)

    assert await watch.verdict(pod) == "keep lost_runtime"
    assert heard(await watch.written(), world) == []


async def test_a_lost_runtime_is_asked_about_although_the_pod_is_kept(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, container_dies_after_s=600)
    await watch.for_(STEP)
    now, alice = world.clock.now(), world.slack.people.alice.id
    keep = Keep("keep1", pod.id, alice, "person", now, now + 7 * DAY)
    await world.house.db.run(lambda session: give_keep(session, keep))

    await watch.for_(50 * MINUTE, every=5 * MINUTE)

    assert heard(await watch.written(), world) == [("card", "alice")]
    assert [question.reason for question in await watch.questions()] == ["lost_runtime"]


async def test_a_runtime_that_was_lost_before_an_outage_is_not_lost_anew_after_it(
    world: World, watch: Watch
) -> None:
    await rents_ours(world, container_dies_after_s=600)
    await watch.for_(STEP)
    await watch.for_(50 * MINUTE, every=5 * MINUTE)
    await world.passes(7 * HOUR)

    await watch.for_(HOUR, every=5 * MINUTE)

    assert sorted(heard(await watch.written(), world)) == [
        ("card", "alice"),
        ("pod_state", "ops"),
        ("reminder", "alice"),
    ]


async def test_a_failed_pod_left_alive_is_said_at_once(world: World, watch: Watch) -> None:
    await rents_ours(world, outcome=Outcome.PREFLIGHT_FAILED)

    await watch.for_(STEP)

    assert heard(await watch.written(), world) == [("card", "alice")]


async def test_a_pod_that_runs_without_an_end_is_said_a_day_after_it_was_ready_every_three_days(
    world: World, watch: Watch
) -> None:
    await rents_ours(world)

    await watch.for_(23 * HOUR, every=HOUR)
    before = await watch.written()
    await watch.for_(5 * DAY, every=4 * HOUR)

    assert before == []
    assert heard(await watch.written(), world) == [("unfenced", "alice")] * 2


async def test_a_pod_with_an_end_is_not_said_to_run_without_one(world: World, watch: Watch) -> None:
    await rents_ours(world, fence_at=world.clock.now() + 10 * DAY)

    await watch.for_(2 * DAY, every=4 * HOUR)

    assert await watch.written() == []


async def test_what_is_not_urgent_waits_until_its_owner_is_awake(world: World, watch: Watch) -> None:
    alice = world.slack.people.alice.id
    pod = world.runpod.rent("notebook", by="console:alice")
    await claims(world, pod, alice)
    berlin = Person(alice, "alice", None, "Europe/Berlin", *(False,) * 4, world.clock.now())
    await world.house.db.run(lambda session: put_people(session, [berlin]))
    await watch.for_(STEP)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(BERLIN_NIGHT - world.clock.now(), every=HOUR)

    await watch.watcher.stale_audit()

    [card] = await watch.written("card")
    assert card.due_at == datetime.fromisoformat("2026-03-03T08:00:00+01:00")


async def test_the_owner_of_a_stale_pod_is_asked_at_the_audit_and_reminded_after_a_day_and_after_three(
    world: World, watch: Watch
) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(4 * HOUR, every=HOUR)
    before = await watch.written()

    await watch.watcher.stale_audit()
    await watch.watcher.stale_audit()
    asked = await watch.written()
    await watch.for_(6 * DAY, every=4 * HOUR)

    assert before == []
    assert heard(asked, world) == [("card", "alice")]
    assert heard(await watch.written("reminder"), world) == [("reminder", "alice")] * 2


async def test_an_armed_audit_gives_a_notice_and_asks_nothing(world: World, watch: Watch) -> None:
    await turn(world, ARMED_STALE)
    pod = await rents_ours(world)
    await watch.for_(STEP)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(2 * HOUR, every=HOUR)

    await watch.watcher.stale_audit()

    assert heard(await watch.written(), world) == [("notice", "alice")]


async def test_everybody_who_claims_a_pod_that_several_claim_is_asked(world: World, watch: Watch) -> None:
    pod = world.runpod.rent("notebook", by="console:alice")
    await watch.for_(STEP)
    await claims(world, pod, world.slack.people.alice.id)
    await claims(world, pod, world.slack.people.bob.id)

    await watch.for_(2 * STEP)

    assert sorted(heard(await watch.written(), world)) == [("card", "alice"), ("card", "bob")]
    assert len(await watch.questions()) == 1


async def test_a_witness_that_is_out_is_said_at_once_and_half_an_hour_later_and_daily(
    world: World, watch: Watch
) -> None:
    pods = [await rents_ours(world, f"train{n}") for n in range(3)]
    await watch.for_(STEP)
    for pod in pods:
        world.runpod.quirks.pod(pod.id, runtime="null")

    await watch.for_(STEP)
    at_once = await watch.written("witness_out")
    await watch.for_(32 * MINUTE)
    soon = await watch.written("witness_out")
    await watch.for_(DAY, every=4 * HOUR)

    assert [len(at_once), len(soon)] == [1, 2]
    assert heard(await watch.written("witness_out"), world) == [("witness_out", "ops")] * 3
