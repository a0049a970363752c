"""What an approval is bound to: the provider's facts, grade and owner, and nothing else.

Money, uptime and our own bookkeeping change without the pod changing; they are not asked for here, so
that they cannot make a question void.
"""

import hashlib
import json
from datetime import UTC, datetime
from typing import NewType

from pods.ids import PodId, UserId
from pods.ownership import Grade
from pods.phase import Phase
from pods.snapshot import Mounts

Fingerprint = NewType("Fingerprint", str)


def fingerprint(
    pod_id: PodId,
    phase: Phase | None,
    started_at: datetime | None,
    mounts: Mounts | None,
    grade: Grade,
    owner: UserId | None,
) -> Fingerprint:
    """The same for the same pod in the same state, on every machine and in every version.

    The order in which network volumes are listed makes no difference; unknown differs from every value.
    """
    parts = [
        pod_id,
        phase,
        None if started_at is None else started_at.astimezone(UTC).isoformat(),
        None if mounts is None else _canonical(mounts),
        grade,
        owner,
    ]
    return Fingerprint(hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32])


def _canonical(mounts: Mounts) -> list[object]:
    return [
        mounts.persistent_gb,
        mounts.persistent_path,
        sorted(mounts.network_volumes),
        mounts.network_path,
    ]
