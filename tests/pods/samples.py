"""One pod of which everything is known and nothing is wrong; each test says what is different."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pods.facts import PassFacts, PodFacts, Sight
from pods.ids import PodId, UserId
from pods.ownership import Grade
from pods.phase import Phase, Status
from pods.policy import Policy
from pods.snapshot import Snapshot

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ALICE, BOB, CAROL, ADMIN = UserId("UALICE"), UserId("UBOB"), UserId("UCAROL"), UserId("UADMIN")
POD = PodId("5xpma5eg46tqjq")

RUNNING = PodFacts(
    pod_id=POD,
    sight=Sight.SEEN,
    phase=Phase.RUNNING,
    created_at=NOW - timedelta(hours=100),
    cluster_member=False,
    locked=False,
    grade=Grade.PROVED,
    owner=ALICE,
    in_ledger=True,
    create_called_at=NOW - timedelta(hours=100, seconds=2),
    provision_deadline=None,
    failed_alive=False,
    moved_or_copied=False,
    keep_on_failure=False,
    heartbeat_at=None,
    progress_at=None,
    fence_at=None,
    first_seen_at=NOW - timedelta(hours=99, minutes=59),
    at_first_listing=False,
    watched_from_birth=True,
    counting=5_000,
    has_run=True,
    nulls=0,
    nulls_since=None,
    error_since=None,
    exited_since=None,
    first_seen_exited=False,
    provider_exited_at=None,
    kept_until=None,
    keep_unreadable=False,
    knowing_until=None,
    ending=False,
    deed_in_episode=False,
    stale_notice_at=None,
    fence_notice_at=None,
)
PASS = PassFacts(
    now=NOW,
    listing_complete=True,
    clock_doubtful=False,
    witness_out=False,
    armed_never_ran=True,
    armed_stale=True,
    paused=False,
    policy=Policy(),
)
GRADES: dict[str, dict[str, Any]] = {
    "proved": {"grade": Grade.PROVED, "in_ledger": True, "owner": ALICE},
    "claimed": {"grade": Grade.CLAIMED, "in_ledger": False, "owner": BOB},
    "unknown": {"grade": Grade.UNKNOWN, "in_ledger": False, "owner": None},
    "conflicting": {"grade": Grade.CONFLICTING, "in_ledger": False, "owner": None},
    "proved+conflicting": {"grade": Grade.CONFLICTING, "in_ledger": True, "owner": ALICE},
}


def ago(**duration: float) -> datetime:
    return NOW - timedelta(**duration)


def ahead(**duration: float) -> datetime:
    return NOW + timedelta(**duration)


def running(**different: Any) -> PodFacts:
    return RUNNING._replace(**different)


def exited(**different: Any) -> PodFacts:
    """Exited two days ago, watched all the time, with a notice delivered a day ago."""
    facts = {"phase": Phase.EXITED, "exited_since": ago(hours=48), "stale_notice_at": ago(hours=24)}
    return running(**{**facts, **different})


def never_ran(**different: Any) -> PodFacts:
    """Rented two hours ago, watched all the time, and nothing ever ran on it."""
    facts = {
        "phase": Phase.NO_RUNTIME,
        "has_run": False,
        "created_at": ago(hours=2),
        "create_called_at": ago(hours=2, seconds=2),
        "first_seen_at": ago(minutes=119),
        "counting": 119,
    }
    return running(**{**facts, **different})


def a_pass(**different: Any) -> PassFacts:
    return replace(PASS, **different)


def snapshot(pod_id: str, created_at: datetime | None) -> Snapshot:
    """One pod as a listing showed it, of which little is known."""
    return Snapshot(
        pod_id=pod_id,
        name="work",
        status=Status.RUNNING,
        shows_life=True,
        created_at=created_at,
        started_at=None,
        gpu_type=None,
        gpu_count=None,
        usd_per_hour=None,
        data_center=None,
        cloud=None,
        image=None,
        mounts=None,
        container_disk_gb=None,
        ssh=None,
        locked=False,
        cluster_member=False,
        provision_mark=None,
        create_mark=None,
    )
