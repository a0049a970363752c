"""Observation against a simulated account: what is believed, what is not, and what is remembered."""

from typing import Literal

import pytest
from sqlmodel import Session, col, func, select

from jobs.observe.looking import Observer
from pods.has_run import Sign
from pods.ids import PodId
from pods.listings import Absence
from pods.phase import Phase
from storage.deed import Deed, DeedState, intend
from storage.history import EpisodeRow, HistoryRow, episodes_of, history
from storage.listing import last_listings
from storage.pod import PodRow, mark_gone, put_absence
from tests.jobs.observe.account import MINUTE, letters, looks, rents
from tests.world import World, house_in


@pytest.fixture
def observer(world: World) -> Observer:
    return Observer(world.house)


def complete(session: Session) -> list[bool]:
    return [listing.complete for listing in reversed(last_listings(session))]


def gone(session: Session) -> set[str]:
    return set(session.exec(select(PodRow.pod_id).where(col(PodRow.gone_at).is_not(None))))


async def test_the_first_listing_is_believed_once_a_second_agrees(world: World, observer: Observer) -> None:
    rents(world, "train")

    await looks(world, observer, 2)

    assert await world.house.db.read(complete) == [False, True]


async def test_a_pod_that_runs_has_run_for_ever(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 2)

    seen = await world.house.db.read(lambda session: history(session, pod.id))

    assert seen is not None
    assert (seen.has_run, seen.episode.phase) == (Sign.RUNTIME, Phase.RUNNING)


async def test_polls_extend_a_row_and_only_changes_add_one(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 10)
    world.runpod.console.stop(pod.id, by="console:carol")
    await looks(world, observer, 10)

    episodes = await world.house.db.read(lambda session: episodes_of(session, pod.id))

    assert [(episode.phase, episode.observations) for episode in episodes] == [
        (Phase.RUNNING, 10),
        (Phase.EXITED, 10),
    ]


async def test_the_exit_is_dated_by_the_first_look_that_shows_it(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 3)
    world.runpod.console.stop(pod.id, by="console:carol")
    await looks(world, observer)
    exit_seen = world.clock.now()
    await looks(world, observer, 5)

    seen = await world.house.db.read(lambda session: history(session, pod.id))

    assert seen is not None
    assert seen.exited_since == exit_seen


async def test_a_pod_that_somebody_ends_is_gone_after_two_answers_of_404(
    world: World, observer: Observer
) -> None:
    pods = [rents(world, f"train-{n}") for n in range(3)]
    await looks(world, observer, 2)

    world.runpod.console.terminate(pods[0].id, by="console:carol")
    await looks(world, observer)
    at_first = await world.house.db.read(gone)
    await looks(world, observer, 3)

    assert at_first == set()
    assert await world.house.db.read(gone) == {pods[0].id}
    assert (await world.house.db.read(complete))[-1]


async def test_a_lost_scope_is_not_an_empty_account(world: World, observer: Observer) -> None:
    for n in range(3):
        rents(world, f"train-{n}")
    await looks(world, observer, 2)

    world.runpod.quirks.account.listing = "empty"
    await looks(world, observer, 5)

    assert await world.house.db.read(gone) == set()
    assert not any((await world.house.db.read(complete))[-5:])
    assert (await world.house.db.read(letters)).count("pods_missing") == 1


async def test_the_end_of_the_only_pod_by_us_is_no_alarm(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 2)
    now = world.clock.now()
    ours = Deed(
        id="deed1",
        path="owner",
        pod_id=pod.id,
        fingerprint="f",
        actor="U1",
        created_at=now,
        not_before=now,
        due_at=None,
        state=DeedState.DONE,
        attempts=1,
        answer_status=204,
        read_back_status=404,
        finished_at=now,
    )
    world.runpod.console.terminate(pod.id, by="api:bot")
    await world.house.db.run(lambda session: intend(session, ours))
    await world.house.db.run(lambda session: mark_gone(session, [PodId(pod.id)], now, "ended by us"))

    await looks(world, observer, 2)

    assert "pods_missing" not in await world.house.db.read(letters)
    assert (await world.house.db.read(complete))[-1]


async def test_a_pod_that_the_executor_found_gone_first_does_not_blind_us(
    world: World, observer: Observer
) -> None:
    """Somebody ends it before an end of ours begins, which notes one answer of 404 and that it is gone."""
    pod, _ = rents(world, "train"), rents(world, "other")
    await looks(world, observer, 2)
    world.runpod.console.terminate(pod.id, by="console:carol")
    now = world.clock.now()
    once = Absence(first_404_at=now, last_404_at=now)
    await world.house.db.run(lambda session: put_absence(session, PodId(pod.id), once))
    await world.house.db.run(lambda session: mark_gone(session, [PodId(pod.id)], now, "found gone"))

    await looks(world, observer, 3)

    assert (await world.house.db.read(complete))[-1]


@pytest.mark.parametrize("odd", ["null", "html"])
async def test_an_answer_that_is_no_listing_changes_nothing(
    world: World, observer: Observer, odd: Literal["null", "html"]
) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 2)
    before = await world.house.db.read(lambda session: history(session, pod.id))

    world.runpod.quirks.account.listing = odd
    await looks(world, observer)

    assert await world.house.db.read(lambda session: history(session, pod.id)) == before
    assert not (await world.house.db.read(complete))[-1]


async def test_a_short_listing_alerts_the_ops_channel_at_once_and_only_once(
    world: World, observer: Observer
) -> None:
    pods = [rents(world, f"train-{n}") for n in range(10)]
    await looks(world, observer, 2)

    world.runpod.quirks.account.listing_drops = frozenset(pod.id for pod in pods[:4])
    await looks(world, observer, 4)

    assert (await world.house.db.read(letters)).count("pods_missing") == 1


async def test_pods_that_reappear_are_announced_and_were_never_gone(world: World, observer: Observer) -> None:
    pods = [rents(world, f"train-{n}") for n in range(10)]
    await looks(world, observer, 2)
    world.runpod.quirks.account.listing_drops = frozenset(pod.id for pod in pods[:4])
    await looks(world, observer, 4)

    world.runpod.quirks.account.listing_drops = frozenset()
    await looks(world, observer, 2)

    assert await world.house.db.read(gone) == set()
    assert (await world.house.db.read(letters))[-1] == "pods_seen_again"


async def test_a_look_by_two_processes_counts_once(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    async with house_in(world.clock, world.house.db, world.runpod, world.slack) as other_house:
        other = Observer(other_house)
        for _ in range(4):
            await world.passes(MINUTE)
            await observer.run()
            await other.run()

    seen = await world.house.db.read(lambda session: history(session, pod.id))

    assert seen is not None
    assert seen.episode.observations == 4


async def test_a_process_that_comes_right_after_another_tells_what_that_one_saw(
    world: World, observer: Observer
) -> None:
    rents(world, "train")
    await looks(world, observer, 3)
    async with house_in(world.clock, world.house.db, world.runpod, world.slack) as other_house:
        seen = await Observer(other_house).run()

    assert (seen.complete, seen.sentence) == (True, None)


async def test_the_text_of_a_stopped_pod_is_heard(world: World, observer: Observer) -> None:
    pod = rents(world, "train")
    await looks(world, observer, 2)
    world.runpod.console.stop(pod.id, by="console:carol")

    await looks(world, observer)

    text = await world.house.db.read(
        lambda session: session.exec(select(PodRow.status_text).where(PodRow.pod_id == pod.id)).one()
    )
    assert text is not None
    assert text.lower().startswith("exited by user")


async def test_the_loss_of_the_second_witness_costs_one_warning(world: World, observer: Observer) -> None:
    rents(world, "train", exited=world.runpod.ago(hours=1))
    world.runpod.quirks.account.graphql = "gone"

    await looks(world, observer, 40)

    assert (await world.house.db.read(letters)).count("status_texts_lost") == 1


async def test_a_hundred_polls_leave_as_many_rows_as_ten(world: World, observer: Observer) -> None:
    rents(world, "train")

    def rows(session: Session) -> int:
        counts = (select(func.count()).select_from(row) for row in (PodRow, HistoryRow, EpisodeRow))
        return sum(session.exec(count).one() for count in counts)

    await looks(world, observer, 10)
    after_ten = await world.house.db.read(rows)
    await looks(world, observer, 90)

    assert await world.house.db.read(rows) == after_ten
    assert len(await world.house.db.read(last_listings)) <= 100
