"""I2: an audit that ended 77 pods of other people, because it read its own report as proof of ownership
and counted from creation instead of from the exit.

Here the real jobs and the real executor over a whole account, both jobs armed, every limit off and every
notice taken by Slack at once. The two faults are kept as mutants: with either, calls reach RunPod.
"""

import json
from datetime import timedelta

import pytest
from sqlmodel import Session, select

from jobs.executor import facts as executors_facts
from jobs.executor.running import run as execute
from jobs.house import House
from jobs.judgement import loading
from jobs.judgement.judging import judged_now
from jobs.judgement.records import Records
from pods.facts import PodFacts
from pods.ids import ProvisionId, UserId
from pods.ownership import Grade, Ownership
from pods.policy import Policy
from simulator.runpod.pod import Pod
from storage.fleet import FleetPod
from storage.outbox import Letter, OutboxRow, send
from storage.pod import snapshots
from storage.question import note_delivery, open_questions
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE
from tests.ledger import enter
from tests.watching import DAY, HOUR, Watch, turn
from tests.world import World

MANY = 10_000
NO_LIMITS = Policy(
    max_gap=25 * HOUR,
    never_ran_min_observations=2,
    max_reaps_per_pass=MANY,
    max_reaps_per_owner=MANY,
    max_reaps_per_day=MANY,
    max_reaps_share=1.0,
    max_reaps_share_floor=MANY,
)


@pytest.fixture
def engine_name() -> str:
    """What is decided is the same on either database."""
    return "sqlite"


@pytest.fixture
def world(world: World) -> World:
    return world.with_settings(policy=NO_LIMITS)


@pytest.fixture
async def watch(world: World) -> Watch:
    """Both jobs are armed, and one pod of our own works."""
    await turn(world, ARMED_NEVER_RAN)
    await turn(world, ARMED_STALE)
    return Watch(world)


async def ours(world: World) -> Pod:
    """Our own pod, made a hundred hours ago, which works."""
    pod = world.runpod.rent("pod-1947", created=world.runpod.ago(hours=100))
    called_at, alice = world.runpod.ago(hours=100), world.slack.people.alice.id
    await world.house.db.run(lambda session: enter(session, pod.id, alice, called_at, name="pod-1947"))
    return pod


def teammates(world: World, our: Pod, count: int) -> list[Pod]:
    """Stopped for days; their names and surroundings contain our names and ids, or are contained in them."""
    names = ["pod-1947", "pod-1947-loc", f"old-{our.id}", "pod", f"{our.id}", "podkeeper", "alice"]
    return [
        world.runpod.rent(
            names[n % len(names)],
            by="console:carol",
            created=world.runpod.ago(hours=200),
            exited=world.runpod.ago(hours=90),
            env={"PODKEEPER_PROVISION": "ab12cd34", "NOTE": f"belongs to {our.id}"},
        )
        for n in range(count)
    ]


async def a_day_passes(watch: Watch) -> None:
    """The daily audit, whose report goes wherever text can go; then whatever the executor may do."""
    house = watch.world.house
    await watch.world.passes(DAY)
    await watch.look()
    await watch.watcher.stale_audit()
    await house.db.run(lambda session: _notices_are_taken(session, house))
    await house.db.run(lambda session: _report_is_pasted(session, house))
    await execute(house)


def _notices_are_taken(session: Session, house: House) -> None:
    for question in open_questions(session):
        if question.delivered_at is None:
            note_delivery(session, question.id, house.clock.now())


def _report_is_pasted(session: Session, house: House) -> None:
    """Into notes of agents, threads of tasks and the ops channel."""
    judged = judged_now(session, house).plan.judged
    known = snapshots(session)
    told = "\n".join(
        f"{known[one.facts.pod_id].name} {one.facts.pod_id}: {one.verdict.reason}"
        for one in judged
        if one.facts.pod_id in known
    )
    for place in ("note", "note_task", "provision_news"):
        name = f"{place} {house.clock.now().isoformat()}"
        send(session, Letter(name, house.ops_channel, place, {"text": told}), house.clock.now())


def everything_written(session: Session) -> str:
    return "\n".join(json.dumps(refs) for refs in session.exec(select(OutboxRow.refs)))


async def test_thirty_days_of_audits_send_not_one_call_to_end_a_pod(world: World, watch: Watch) -> None:
    pods = teammates(world, await ours(world), 77)

    for _ in range(30):
        await a_day_passes(watch)

    assert world.runpod.calls.terminates() == []
    assert all(world.runpod.truth(pod.id).ended_at is None for pod in pods)


async def test_ownership_by_substring_is_caught(
    world: World, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    pods = teammates(world, await ours(world), 3)
    await a_day_passes(watch)
    await a_day_passes(watch)
    written = await world.house.db.read(everything_written)
    alice = UserId(world.slack.people.alice.id)

    def mentioned(pod: FleetPod, records: Records, now: object, policy: Policy) -> Ownership:
        ours = pod.pod_id in written
        grade = Grade.PROVED if ours else Grade.UNKNOWN
        provision = ProvisionId("ab12cd34") if ours else None
        return Ownership(grade, alice if ours else None, ours, None, provision, (alice,), ours, None)

    monkeypatch.setattr(loading, "owned", mentioned)
    monkeypatch.setattr(executors_facts, "owned", mentioned)
    for _ in range(3):
        await a_day_passes(watch)

    ended = {call.pod_id for call in world.runpod.calls.terminates()}
    assert ended == {pod.id for pod in pods}


async def an_exit_seen(world: World, watch: Watch) -> Pod:
    """Ours was seen working, and was stopped an hour ago."""
    pod = await ours(world)
    for _ in range(2):
        await world.passes(HOUR)
        await watch.look()
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.look()
    await world.passes(HOUR)
    return pod


async def audits_through(watch: Watch, hours: int) -> None:
    """An audit every hour."""
    for _ in range(hours):
        await watch.look()
        await watch.watcher.stale_audit()
        await watch.world.house.db.run(lambda session: _notices_are_taken(session, watch.world.house))
        await execute(watch.world.house)
        await watch.world.passes(HOUR)


async def test_created_a_hundred_hours_ago_and_stopped_an_hour_ago_is_kept(
    world: World, watch: Watch
) -> None:
    pod = await an_exit_seen(world, watch)

    await audits_through(watch, 4)

    assert await watch.written("notice") == []
    assert world.runpod.truth(pod.id).ended_at is None


async def test_the_clock_from_creation_is_caught(
    world: World, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    pod = await an_exit_seen(world, watch)
    truly = loading.facts_of

    def from_creation(*given: object) -> PodFacts:
        facts = truly(*given)  # type: ignore[arg-type]
        return facts._replace(exited_since=facts.created_at) if facts.exited_since else facts

    monkeypatch.setattr(loading, "facts_of", from_creation)
    monkeypatch.setattr(executors_facts, "facts_of", from_creation)
    watch.world = world.with_settings(policy=Policy(max_gap=25 * HOUR, stale_notice=timedelta(hours=1)))
    watch = Watch(watch.world)
    await audits_through(watch, 4)

    assert [call.pod_id for call in world.runpod.calls.terminates()] == [pod.id]
