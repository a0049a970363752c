"""The watcher's passes over a simulated account: what is intended, announced and written down."""

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from jobs.judgement.judging import Judgement, judged_now
from jobs.judgement.report import background, exit_code, report
from jobs.observe.looking import Observer
from jobs.watch import Watcher
from pods.exit_codes import ExitCode
from pods.guards import Path
from pods.ids import PodId
from pods.policy import Policy
from pods.provision.outcomes import Outcome
from simulator.runpod.pod import Pod
from storage.columns import JsonObject
from storage.deed import Deed, deeds_of
from storage.question import QuestionRow, note_delivery, open_questions
from storage.switch import Switch, set_switch
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, OPS_CHANNEL_LOST
from storage.trail import TrailRow
from storage.verdict import current_verdicts
from tests.ledger import enter
from tests.world import World

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class Watch:
    """Observation and judgement, minute by minute."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.observer = Observer(world.house)
        self.watcher = Watcher(world.house)

    async def for_(self, time: timedelta, every: timedelta = MINUTE) -> None:
        """Let so much time pass, with a look and a judgement at each step."""
        passed = timedelta(0)
        while passed < time:
            await self.world.passes(every)
            await self.observer.run()
            await self.watcher.judge()
            passed += every

    async def verdict(self, pod: Pod) -> str:
        """The present verdict, with its reason and what holds it."""
        current = await self.world.house.db.read(current_verdicts)
        one = current[pod.id]
        return " ".join(part for part in (one.verdict, one.reason, one.held) if part)

    async def deeds(self, pod: Pod) -> list[Deed]:
        return await self.world.house.db.read(lambda session: deeds_of(session, pod.id))


@pytest.fixture
def world(world: World) -> World:
    """A world in which an hour is what a day is elsewhere."""
    hour = timedelta(hours=1)
    return world.with_settings(policy=Policy(stale_after=hour, stale_notice=hour))


@pytest.fixture
async def watch(world: World) -> Watch:
    """An account with a believed listing."""
    world.runpod.rent("somebodys", by="console:carol", created=world.runpod.ago(hours=50))
    watching = Watch(world)
    await watching.for_(2 * MINUTE)
    return watching


async def turn(world: World, key: str, value: str = "on") -> None:
    now = world.clock.now()
    await world.house.db.run(lambda session: set_switch(session, Switch(key, value, "UADMIN", now)))


async def rents_ours(
    world: World, name: str = "train", outcome: Outcome = Outcome.READY, stuck_in: str | None = None
) -> Pod:
    """A pod that our ledger made just now."""
    pod = world.runpod.rent(name, stuck_in=stuck_in)
    now, alice = world.clock.now(), world.slack.people.alice.id
    await world.house.db.run(lambda session: enter(session, pod.id, alice, now, name=name, outcome=outcome))
    return pod


async def test_a_pod_of_ours_that_never_ran_is_ended_after_the_grace_and_not_a_minute_before(
    world: World, watch: Watch
) -> None:
    await turn(world, ARMED_NEVER_RAN)
    pod = await rents_ours(world, stuck_in="RUNNING")

    await watch.for_(20 * MINUTE)
    at_the_grace = await watch.deeds(pod)
    await watch.for_(MINUTE)

    assert at_the_grace == []
    assert [deed.path for deed in await watch.deeds(pod)] == [Path.NEVER_RAN]


async def test_a_disarmed_watcher_intends_nothing_and_says_what_holds_it(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, stuck_in="RUNNING")

    await watch.for_(24 * MINUTE, every=2 * MINUTE)

    assert await watch.deeds(pod) == []
    assert await watch.verdict(pod) == "reap never_ran disarmed"


async def test_a_teammates_pod_that_never_ran_is_never_intended_to_end(world: World, watch: Watch) -> None:
    await turn(world, ARMED_NEVER_RAN)
    pod = world.runpod.rent("stuck", by="console:carol", stuck_in="RUNNING")

    await watch.for_(88 * MINUTE, every=4 * MINUTE)

    assert await watch.deeds(pod) == []
    assert await watch.verdict(pod) == "ask never_ran_unproved"


async def test_while_the_ops_channel_is_lost_no_clock_intends_anything(world: World, watch: Watch) -> None:
    await turn(world, ARMED_NEVER_RAN)
    await turn(world, OPS_CHANNEL_LOST)
    pod = await rents_ours(world, stuck_in="RUNNING")

    await watch.for_(24 * MINUTE, every=2 * MINUTE)

    assert await watch.deeds(pod) == []


async def test_a_stale_pod_ends_only_after_its_owner_was_told_in_time(world: World, watch: Watch) -> None:
    await turn(world, ARMED_STALE)
    pod = await rents_ours(world)
    await watch.for_(5 * MINUTE)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(64 * MINUTE, every=4 * MINUTE)

    await watch.watcher.stale_audit()
    [notice] = await world.house.db.read(open_questions)
    told_at = world.clock.now()
    await world.house.db.run(lambda session: note_delivery(session, notice.id, told_at))
    await watch.for_(56 * MINUTE, every=4 * MINUTE)
    before = await watch.deeds(pod)
    await watch.for_(4 * MINUTE, every=4 * MINUTE)

    assert notice.asked == world.slack.people.alice.id
    assert before == []
    assert [deed.path for deed in await watch.deeds(pod)] == [Path.STALE]


async def test_a_notice_that_slack_never_took_starts_no_clock(world: World, watch: Watch) -> None:
    await turn(world, ARMED_STALE)
    pod = await rents_ours(world)
    await watch.for_(5 * MINUTE)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(64 * MINUTE, every=4 * MINUTE)

    await watch.watcher.stale_audit()
    await watch.for_(80 * MINUTE, every=4 * MINUTE)

    assert await watch.deeds(pod) == []


async def test_the_audit_run_twice_tells_its_owner_once(world: World, watch: Watch) -> None:
    await turn(world, ARMED_STALE)
    pod = await rents_ours(world)
    await watch.for_(5 * MINUTE)
    world.runpod.console.stop(pod.id, by="console:alice")
    await watch.for_(64 * MINUTE, every=4 * MINUTE)

    await watch.watcher.stale_audit()
    await watch.watcher.stale_audit()

    asked = await world.house.db.read(lambda session: list(session.exec(select(QuestionRow.pod_id))))
    assert asked == [pod.id]


async def test_every_change_of_a_verdict_is_in_the_trail_once(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(30 * MINUTE, every=3 * MINUTE)

    def changes(session: Session) -> list[str]:
        about = select(TrailRow.data).where(TrailRow.subject == pod.id, TrailRow.kind == "verdict.changed")
        return list(session.exec(about.order_by(TrailRow.seq)))  # type: ignore[arg-type]

    recorded = await world.house.db.read(changes)
    assert len(recorded) == len(set(recorded))
    assert '"reason":"running"' in recorded[-1]


async def test_a_failed_provision_that_left_its_pod_alive_is_asked_about(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, outcome=Outcome.PREFLIGHT_FAILED)

    await watch.for_(5 * MINUTE)

    assert await watch.verdict(pod) == "ask provision_failed"


async def audit(world: World) -> Judgement:
    return await world.house.db.read(lambda session: judged_now(session, world.house))


async def written(world: World, judgement: Judgement, pod: Pod | None = None) -> JsonObject:
    known = await world.house.db.read(lambda session: background(session, judgement.plan.at))
    return report(judgement, known, only=PodId(pod.id) if pod else None)


async def test_a_pod_that_is_gone_is_reported_by_the_name_that_it_had(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, "train")
    await watch.for_(2 * MINUTE)
    world.runpod.console.terminate(pod.id, by="console:alice")
    await watch.for_(5 * MINUTE)

    told = await written(world, await audit(world), pod)

    match told["pods"]:
        case [{"reason": reason, "name": name}]:
            assert (reason, name) == ("already_gone", "train")
        case other:
            pytest.fail(f"unexpected entries: {other}")


async def test_a_pod_that_is_gone_is_reported_with_what_it_did_and_had_cost(
    world: World, watch: Watch
) -> None:
    pod = await rents_ours(world, "train")
    await watch.for_(2 * HOUR, every=HOUR)
    world.runpod.console.terminate(pod.id, by="console:alice")
    await watch.for_(10 * HOUR, every=HOUR)

    told = await written(world, await audit(world), pod)

    match told["pods"]:
        case [{"usd_so_far": float(usd), "evidence": {"observed": [*_, {"phase": "running"}]}}]:
            assert 2 * 2.99 < usd < 5 * 2.99
        case other:
            pytest.fail(f"unexpected entries: {other}")


async def test_the_report_says_of_each_pod_what_decided(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(5 * MINUTE)

    judgement = await audit(world)
    told = await written(world, judgement, pod)

    assert told["complete"] is True
    match told["pods"]:
        case [{"verdict": "keep", "owner": owner, "grade": "proved", "phase": "running"}]:
            assert owner == world.slack.people.alice.id
        case other:
            pytest.fail(f"unexpected entries: {other}")


@pytest.mark.parametrize(
    ("listing", "outcome", "code"),
    [
        ("ok", Outcome.READY, ExitCode.OK),
        ("ok", Outcome.PREFLIGHT_FAILED, ExitCode.FINDINGS),
        ("html", Outcome.READY, ExitCode.NOT_SEEN_WHOLE),
    ],
)
async def test_the_exit_code_of_an_audit(
    world: World, watch: Watch, listing: str, outcome: Outcome, code: ExitCode
) -> None:
    await rents_ours(world, outcome=outcome)
    await watch.for_(5 * MINUTE)
    world.runpod.quirks.account.listing = listing  # type: ignore[assignment]
    await watch.for_(MINUTE)

    told = await written(world, await audit(world))

    assert exit_code(told) == code
