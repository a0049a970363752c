"""What the jobs tell by themselves, as people read it in the simulated Slack, whose rules it has to pass."""

from datetime import timedelta

import pytest
from sqlmodel import Session

from bot.letters import letters
from jobs.observe.folding import WITNESS
from jobs.outbox.kinds import UNDELIVERABLE
from jobs.outbox.sending import Sender
from pods.ids import PodId
from pods.provision.outcomes import Outcome
from pods.witness import Witness
from simulator.runpod.pod import Pod
from storage.columns import JsonObject
from storage.deed import Deed, DeedState, intend
from storage.listing import remember
from storage.outbox import Letter, send
from tests.bot.account import claimed
from tests.watching import STEP, Watch, rents_ours, watched
from tests.world import World

FINAL = (DeedState.DONE, DeedState.REFUSED, DeedState.FAILED)
EVIL = "<!channel> *bold* `x` <@U1> &"


@pytest.fixture
def engine_name() -> str:
    """What is drawn is the same from either database."""
    return "sqlite"


@pytest.fixture
async def watch(world: World) -> Watch:
    return await watched(world)


async def tell(world: World, kind: str, refs: JsonObject, target: str | None = None) -> str:
    """Have it sent, and read what came of it in the ops channel, as bob does."""
    to, now = target or world.house.ops_channel, world.clock.now()
    await world.house.db.run(lambda session: send(session, Letter(f"a {kind}", to, kind, refs), now))
    await Sender(world.house, letters(world.house)).run()
    if target is None:
        return world.slack.people.bob.reads("#gpu-ops")
    return world.slack.people.alice.reads("dm")


def state(pod: Pod, world: World, name: str, **more: str | None) -> JsonObject:
    since = world.clock.now() - timedelta(minutes=75)
    return {"state": name, "subject": pod.id, "since": since.isoformat(), "question": None, **more}


async def ending(
    world: World,
    pod: Pod,
    stands: DeedState,
    *,
    actor: str = "podkeeper",
    reason: str | None = None,
    outcome: str | None = None,
) -> None:
    now, alice = world.clock.now(), world.slack.people.alice.id
    deed = Deed(
        "deed1",
        "stale",
        pod.id,
        "f",
        actor,
        now,
        now,
        None,
        owner=alice,
        reason=reason,
        outcome=outcome,
        state=stands,
        attempted_at=now,
        answered_at=now,
        usd_per_hour=2.0,
        finished_at=now if stands in FINAL else None,
    )
    assert await world.house.db.run(lambda session: intend(session, deed))


@pytest.mark.parametrize(
    ("kind", "refs", "words"),
    [
        ("pods_missing", {"missing": ["abc"], "blind": False, "why": None}, "1 pod is missing"),
        ("pods_missing", {"missing": ["abc", "def"], "blind": True, "why": None}, "Every pod is missing"),
        ("pods_seen_again", {"pods": 7}, "whole again: 7 pods"),
        ("witness_back", {}, "shows again what runs"),
        ("clock_doubtful", {"off_s": -301.0}, "differ by 5 minutes"),
        ("clock_doubtful", {"off_s": None}, "differ."),
        ("clock_sound", {}, "agree again"),
        ("switch_set", {"switch": "armed.stale", "value": "on", "by": "UDANA"}, "armed `stale`"),
        ("switch_set", {"switch": "paused", "value": "off", "by": "UDANA"}, "ended the pause"),
        ("status_texts_lost", {"why": "RunPod answers 410."}, "RunPod answers 410."),
        ("ops_channel_lost", {"reason": "channel_not_found"}, "takes no messages from me"),
        ("ops_channel_back", {}, "I can write here again"),
        (
            "limit_exceeded",
            {"limit": "stale_per_owner", "wanted": 9, "allowed": 3, "owner": "U1"},
            "9 stopped pods",
        ),
        (
            "limit_exceeded",
            {"limit": "never_ran_per_pass", "wanted": 12, "allowed": 10, "owner": None},
            "I end the oldest and ask about the rest",
        ),
    ],
)
async def test_an_alert_says_what_happened(
    world: World, watch: Watch, kind: str, refs: JsonObject, words: str
) -> None:
    assert words in await tell(world, kind, refs)


async def test_the_first_day_is_told_with_its_money(world: World, watch: Watch) -> None:
    said = await tell(world, "first_day", {})

    assert "I see one pod here, 1 running at $" in said
    assert "none is mine" in said


async def test_a_witness_that_is_out_names_the_pods(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    out = Witness(world.clock.now(), frozenset({PodId(pod.id)}))
    await world.house.db.run(lambda session: remember(session, WITNESS, out, world.clock.now()))

    assert pod.id in await tell(world, "witness_out", {})


async def test_a_reminder_says_what_it_costs_and_what_can_be_done(world: World, watch: Watch) -> None:
    pod = await rents_ours(world, outcome=Outcome.PREFLIGHT_FAILED)
    await watch.for_(STEP)
    alice = world.slack.people.alice.id

    said = await tell(world, "reminder", state(pod, world, "provision_failed"), alice)

    assert "failed 1 hour 15 minutes ago" in said
    assert "/h" in said
    assert "/pod terminate" in said


async def test_a_state_that_is_over_is_not_told(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    alice = world.slack.people.alice.id

    said = await tell(world, "reminder", state(pod, world, "never_ran"), alice)

    assert pod.id not in said


async def test_a_pod_of_nobody_can_be_taken_by_whoever_reads_it(world: World, watch: Watch) -> None:
    pod = world.runpod.rent("broken", by="console:carol", error_after_s=0)
    await watch.for_(STEP)

    said = await tell(world, "pod_state", state(pod, world, "error"))

    assert "Nobody has said that it is theirs" in said
    assert "[Mine]" in said


async def test_a_pod_of_nobody_cannot_be_taken_again_once_somebody_has_claimed_it(
    world: World, watch: Watch
) -> None:
    pod = world.runpod.rent("broken", by="console:carol", error_after_s=0)
    await watch.for_(STEP)
    await tell(world, "pod_state", state(pod, world, "error"))

    await claimed(world, pod.id, world.slack.people.alice.id)
    await Sender(world.house, letters(world.house)).run()

    said = world.slack.people.bob.messages("#gpu-ops")[-1].plain
    assert "By now @alice says that it is theirs" in said
    assert "[Mine]" not in said


async def test_a_pod_that_runs_on_without_an_end_is_told_to_its_owner(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    alice = world.slack.people.alice.id

    said = await tell(world, "unfenced", state(pod, world, "unfenced"), alice)

    assert "does not end by itself" in said


async def test_an_end_that_does_not_take_is_told_with_what_it_costs(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    await ending(world, pod, DeedState.ACTING)
    await world.passes(timedelta(minutes=75))

    alice = world.slack.people.alice.id
    said = await tell(world, "end_not_confirmed", {"subject": "deed1", "owner": alice})

    assert "@alice: I have been trying to end" in said
    assert "for 1 hour 15 minutes" in said
    assert "Meanwhile it has cost about $2.50" in said


async def test_an_end_by_a_clock_is_told_with_why_and_what_it_had_cost(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    await ending(world, pod, DeedState.DONE)

    said = await tell(world, "ended_by_clock", {"deed": "deed1"}, world.slack.people.alice.id)

    assert "was ended at" in said
    assert "because it had been stopped for so long" in said
    assert "It had cost about $" in said


async def test_an_end_that_did_not_happen_is_not_told_as_one(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    await ending(world, pod, DeedState.REFUSED, outcome="it is kept")

    assert "ended" not in await tell(world, "ended_by_clock", {"deed": "deed1"}, world.slack.people.alice.id)


async def test_what_could_not_reach_its_person_says_so_to_all(world: World, watch: Watch) -> None:
    pod = await rents_ours(world)
    await watch.for_(STEP)
    refs = {**state(pod, world, "unfenced"), UNDELIVERABLE: world.slack.people.dee.id}

    assert "I could not reach @dee" in await tell(world, "unfenced", refs)


@pytest.mark.parametrize("kind", ["pod_state", "pods_missing", "end_not_confirmed", "witness_out"])
async def test_a_pods_name_from_outside_cannot_address_anybody(world: World, watch: Watch, kind: str) -> None:
    pod = await rents_ours(world, EVIL, outcome=Outcome.READY, error_after_s=0)
    await watch.for_(STEP)
    await ending(world, pod, DeedState.ACTING)
    out = Witness(world.clock.now(), frozenset({PodId(pod.id)}))

    def drawn(session: Session) -> str:
        remember(session, WITNESS, out, world.clock.now())
        refs: JsonObject = {**state(pod, world, "error"), "missing": [pod.id], "blind": False}
        if kind == "end_not_confirmed":
            refs["subject"] = "deed1"
        message = letters(world.house)[kind].render(session, refs, world.clock.now())
        return "" if message is None else message.text + str(message.blocks)

    text = await world.house.db.run(drawn)

    assert "channel" in text
    assert "<!channel>" not in text
    assert "<@U1>" not in text
