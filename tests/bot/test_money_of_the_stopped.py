"""A stopped pod: what it has cost is known once its price was known, and what it costs is its disks."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlmodel import Session, col

from bot.alerts.deeds import end_not_confirmed
from bot.digest.daily import first_line
from bot.provision.head import draw_head
from jobs.digest.figures import Day, PodCost
from jobs.executor.facts import standing
from jobs.observe.looking import Observer
from pods.provision.value import to_json
from storage.deed import Deed, DeedState, intend
from storage.ledger import provision_of, record_of_pod
from storage.provision import ProvisionRow
from storage.rows import change
from tests.bot.account import foreign, owned
from tests.bot.talk import Talk
from tests.world import World

NOTHING_MORE = "What it has cost so far is unknown."


async def looks(world: World) -> None:
    observer = Observer(world.house)
    for _ in range(3):
        await world.passes(timedelta(minutes=1))
        await observer.run()


async def stops(world: World, pod_id: str) -> None:
    """It was seen running, and is seen stopped."""
    await looks(world)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looks(world)


@pytest.mark.parametrize("kept", [True, False], ids=["RunPod keeps its price", "RunPod drops its price"])
async def test_what_a_stopped_pod_of_somebody_has_cost_is_told_by_its_last_price(
    world: World, talk: Talk, kept: bool
):
    pod_id = await foreign(world, "notebook", volume_gb=40, exited_cost_kept=kept)
    await stops(world, pod_id)

    told = await talk.types(world.slack.people.alice, f"/pod audit {pod_id}")

    assert "stopped for" in told
    assert "so far." in told
    assert NOTHING_MORE not in told


async def test_what_a_pod_of_ours_has_cost_is_told_by_our_own_record_if_no_price_was_ever_seen(
    world: World, talk: Talk
):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id, volume_gb=40, cost="zero")
    await stops(world, pod_id)

    told = await talk.types(alice, f"/pod audit {pod_id}")

    assert "About $0.4" in told


async def test_a_pod_of_others_of_which_no_price_was_ever_seen_has_none(world: World, talk: Talk):
    pod_id = await foreign(world, "notebook", volume_gb=40, cost="zero")
    await stops(world, pod_id)

    assert NOTHING_MORE in await talk.types(world.slack.people.alice, f"/pod audit {pod_id}")


@pytest.mark.parametrize("kept", [True, False], ids=["RunPod keeps its price", "RunPod drops its price"])
async def test_an_end_of_a_stopped_pod_saves_its_storage_and_not_its_price(world: World, kept: bool):
    pod_id = await owned(world, "train", "UALICE", volume_gb=360, exited_cost_kept=kept)
    await stops(world, pod_id)
    now, policy = world.clock.now(), world.house.policy

    found = await world.house.db.read(lambda session: standing(session, pod_id, now, policy))

    assert found is not None
    assert found.usd_per_hour == pytest.approx(0.1)


async def test_an_end_that_is_not_confirmed_says_when_nobody_knows_what_it_costs(world: World):
    now = world.clock.now()
    late = Deed("d", "stale", "p", "f", "podkeeper", now, now, now, state=DeedState.ACTING, attempts=1)

    def told(session: Session) -> str:
        assert intend(session, late)
        message = end_not_confirmed(session, {"subject": "d"}, now + timedelta(minutes=5))
        assert message is not None
        return message.text

    assert "Meanwhile nobody knows what it costs. I go on trying." in await world.house.db.run(told)


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 pod of unknown price is"), (2, "2 pods of unknown price are")]
)
def test_the_digest_counts_pods_of_unknown_price(number: int, said: str):
    pods = tuple(PodCost(f"p{n}", "x", None, None, 0.0, never_ran=False) for n in range(number))
    day = Day(date(2026, 3, 2), pods)

    assert f"{said} not in it." in first_line(day, day)


async def test_a_stopped_pod_that_we_rented_without_a_volume_costs_nothing(world: World, talk: Talk):
    alice = world.slack.people.alice
    await stops(world, await owned(world, "train", alice.id))

    told = await talk.types(alice, "/pod audit train")

    assert "$0.00/h" in told
    assert NOTHING_MORE not in told


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({}, "its disks cost $0.00/h."),
        ({"volume_gb": 72}, "its disks cost $0.02/h."),
        ({"template": "tpl"}, "nobody knows what its disks cost."),
    ],
)
async def test_the_head_of_a_stopped_launch_says_what_its_disks_cost_as_far_as_is_known(
    world: World, order: dict[str, object], said: str
):
    pod_id = await owned(world, "train", "UALICE")
    await stops(world, pod_id)
    await world.house.db.run(lambda session: _ordered(session, pod_id, order))

    def told(session: Session) -> str:
        found = record_of_pod(session, pod_id)
        assert found is not None
        message = draw_head(session, {"provision": found.id}, world.clock.now())
        assert message is not None
        return message.text + str(message.blocks)

    assert said in await world.house.db.read(told)


def _ordered(session: Session, pod_id: str, order: dict[str, object]) -> None:
    """As if its order had said so."""
    found = record_of_pod(session, pod_id)
    assert found is not None
    made = provision_of(found)
    wished = replace(made, order=replace(made.order, **order))  # type: ignore[arg-type]
    change(session, ProvisionRow, col(ProvisionRow.id) == found.id, run=to_json(wished))
