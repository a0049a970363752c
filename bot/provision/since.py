"""What became of the pod of a provision since that was over: somebody stopped it, or it is gone."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from bot.alerts.pods import had_cost
from bot.provision.buttons import STILL_THERE
from bot.text import per_hour
from pods.cost import usd_per_hour_now
from pods.phase import Phase
from pods.provision.outcomes import ENDINGS
from pods.provision.value import Provision
from storage.history import history
from storage.pod import PodRow, snapshot
from storage.prices import disks_of

NOTHING_ANY_MORE = "It costs nothing any more."


@dataclass(frozen=True, slots=True)
class Since:
    """Of a provision that left its pod alive."""

    word: str
    at: datetime
    costs: str
    is_gone: bool


def since_then(session: Session, provision: Provision) -> Since | None:
    """None: the pod is as the provision left it, or was not left alive."""
    lives = provision.outcome is not None and ENDINGS[provision.outcome].pod in STILL_THERE
    row = session.get(PodRow, provision.pod.pod_id) if lives and provision.pod else None
    if row is None:
        return None
    if row.gone_at is not None:
        spent = had_cost(session, row.pod_id, row.gone_at)
        return Since("ended", row.gone_at, f"{NOTHING_ANY_MORE}{spent}", is_gone=True)
    return _stopped(session, row) if row.phase == Phase.EXITED else None


def _stopped(session: Session, row: PodRow) -> Since | None:
    past, seen = history(session, row.pod_id), snapshot(session, row.pod_id)
    if past is None or seen is None:
        return None
    rate = usd_per_hour_now(Phase.EXITED, None, disks_of(session, row.pod_id, seen))
    disks = f"its disks cost {per_hour(rate)}" if rate is not None else "nobody knows what its disks cost"
    return Since("stopped", past.episode.since, f"Nothing runs on it any more; {disks}.", is_gone=False)
