from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pods.fingerprint import Fingerprint, fingerprint
from pods.ids import PodId, UserId
from pods.ownership import Grade
from pods.phase import Phase
from pods.snapshot import Mounts

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
MOUNTS = Mounts(persistent_gb=20, persistent_path="/workspace", network_volumes=("vol-a", "vol-b"))
FACTS = {
    "pod_id": PodId("pod1"),
    "phase": Phase.EXITED,
    "started_at": START,
    "mounts": MOUNTS,
    "grade": Grade.PROVED,
    "owner": UserId("U1"),
}


def of(**changes: object) -> Fingerprint:
    return fingerprint(**{**FACTS, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"pod_id": PodId("pod2")},
        {"phase": Phase.RUNNING},
        {"phase": None},
        {"started_at": START + timedelta(seconds=1)},
        {"started_at": None},
        {"mounts": replace(MOUNTS, persistent_gb=40)},
        {"mounts": replace(MOUNTS, network_volumes=("vol-a",))},
        {"mounts": None},
        {"grade": Grade.CLAIMED},
        {"owner": UserId("U2")},
        {"owner": None},
    ],
)
def test_every_fact_of_the_pod_changes_the_fingerprint(change: dict[str, object]) -> None:
    assert of(**change) != of()


def test_the_same_moment_in_another_zone_is_the_same_fingerprint() -> None:
    elsewhere = START.astimezone(timezone(timedelta(hours=-4)))

    assert of(started_at=elsewhere) == of()


def test_the_order_of_the_network_volumes_makes_no_difference() -> None:
    turned = replace(MOUNTS, network_volumes=("vol-b", "vol-a"))

    assert of(mounts=turned) == of()


def test_a_fingerprint_stays_the_same_over_versions() -> None:
    assert of() == "1fcfa8995a1f0aea55d27ad8616fcc64"
