"""What a pod costs, as far as it can be known."""

from datetime import datetime, timedelta

import pytest

from pods.cost import usd_per_hour_now, usd_per_hour_saved, usd_so_far
from pods.episodes import Episode
from pods.phase import Phase
from pods.snapshot import Mounts
from tests.pods.samples import NOW, ago

NO_DISK = Mounts()
DISK = Mounts(persistent_gb=360)
"""360 GB cost $0.05 an hour while running and $0.10 while stopped."""


def episode(phase: Phase, since: datetime) -> Episode:
    return Episode(phase, since, since, 1, timedelta(0), None)


@pytest.mark.parametrize(
    ("phase", "price", "mounts", "expected"),
    [
        (Phase.RUNNING, 2.5, NO_DISK, 2.5),
        (Phase.RUNNING, 2.5, DISK, 2.55),
        (Phase.RUNNING, 2.5, None, 2.5),
        (Phase.ALLOCATING, 2.5, NO_DISK, 2.5),
        (Phase.NO_RUNTIME, 2.5, NO_DISK, 2.5),
        (Phase.ERROR, 2.5, NO_DISK, 2.5),
        (Phase.RUNNING, None, DISK, None),
        (Phase.EXITED, 2.5, DISK, 0.1),
        (Phase.EXITED, None, DISK, 0.1),
        (Phase.EXITED, 2.5, NO_DISK, 0.0),
        (Phase.EXITED, 2.5, None, None),
        (Phase.GONE, None, None, 0.0),
        (None, 2.5, DISK, None),
    ],
)
def test_what_it_costs_per_hour_now(
    phase: Phase | None, price: float | None, mounts: Mounts | None, expected: float | None
) -> None:
    assert usd_per_hour_now(phase, price, mounts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("phase", "expected"), [(Phase.RUNNING, 2.5), (Phase.EXITED, 0.1), (Phase.ERROR, 2.5), (None, 2.5)]
)
def test_what_an_end_saves_is_the_price_or_of_a_stopped_pod_its_storage(
    phase: Phase | None, expected: float
) -> None:
    assert usd_per_hour_saved(phase, 2.5, DISK) == pytest.approx(expected)


def test_what_it_has_cost_is_price_times_rented_time_and_storage_after_that() -> None:
    seen = [episode(Phase.RUNNING, ago(hours=10)), episode(Phase.EXITED, ago(hours=6))]

    assert usd_so_far(seen, ago(hours=10), 2.0, DISK, NOW) == pytest.approx(4 * 2.05 + 6 * 0.1)


def test_the_first_state_is_billed_from_the_creation_on() -> None:
    seen = [episode(Phase.NO_RUNTIME, ago(hours=1))]

    assert usd_so_far(seen, ago(hours=3), 2.0, NO_DISK, NOW) == pytest.approx(6.0)


def test_without_a_creation_time_it_is_billed_from_first_sight() -> None:
    assert usd_so_far([episode(Phase.RUNNING, ago(hours=1))], None, 2.0, NO_DISK, NOW) == pytest.approx(2.0)


def test_a_pod_that_is_gone_costs_nothing_more() -> None:
    seen = [episode(Phase.RUNNING, ago(hours=3)), episode(Phase.GONE, ago(hours=2))]

    assert usd_so_far(seen, None, 2.0, NO_DISK, NOW) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("seen", "price", "mounts"),
    [
        ([], 2.0, NO_DISK),
        ([episode(Phase.RUNNING, ago(hours=1))], None, NO_DISK),
        ([episode(Phase.EXITED, ago(hours=1))], 2.0, None),
    ],
)
def test_a_sum_of_which_a_part_is_unknown_is_unknown(
    seen: list[Episode], price: float | None, mounts: Mounts | None
) -> None:
    assert usd_so_far(seen, None, price, mounts, NOW) is None


def test_a_clock_that_stepped_back_earns_no_money_back() -> None:
    assert usd_so_far([episode(Phase.RUNNING, NOW + timedelta(hours=1))], None, 2.0, NO_DISK, NOW) == 0.0
