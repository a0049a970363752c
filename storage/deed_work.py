"""What the executor does with deeds: it takes them in hand, and writes what came of them."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlmodel import Session, col

from storage.deed import Deed, DeedRow, DeedState, deed
from storage.leases import claim_due
from storage.rows import change, read


def take_due(session: Session, now: datetime, lease_for: timedelta, limit: int) -> list[Deed]:
    """Take in hand what is due and nobody has, the longest due first."""
    leases = claim_due(session, DeedRow, now, lease_for, limit)
    order = {lease.id: place for place, lease in enumerate(leases)}
    mine = read(session, Deed, DeedRow, col(DeedRow.id).in_(order))
    return sorted(mine, key=lambda taken: order[taken.id])


def write(session: Session, taken: Deed, **changes: object) -> Deed | None:
    """Write to a deed that is in hand. None, and nothing is written, if another has taken it since, or has
    called it back."""
    if not _apply(session, taken, changes):
        return None
    return deed(session, taken.id)


def let_go(session: Session, taken: Deed, due_at: datetime, **changes: object) -> bool:
    """Write to it, and look at it again then. False as in `write`."""
    return _apply(session, taken, {"due_at": due_at, "lease_until": None, **changes})


def finish(
    session: Session, taken: Deed, state: DeedState, at: datetime, outcome: str | None, **changes: object
) -> Deed | None:
    """Nothing is left to do. None as in `write`."""
    over = {"state": state, "outcome": outcome, "finished_at": at, "due_at": None, "lease_until": None}
    return deed(session, taken.id) if _apply(session, taken, {**over, **changes}) else None


def give_way(session: Session, deed_id: str, at: datetime, why: str) -> bool:
    """Another deed takes the place of one that has not begun. False if it has begun, or is over."""
    waiting = (col(DeedRow.id) == deed_id) & (col(DeedRow.state) == DeedState.DUE)
    over = {"state": DeedState.UNDONE, "outcome": why, "finished_at": at, "due_at": None}
    return change(session, DeedRow, waiting, **over) == 1


def _apply(session: Session, taken: Deed, changes: Mapping[str, object]) -> bool:
    """Guarded by the lease's number and by the state: an undo needs no lease."""
    mine = (col(DeedRow.id) == taken.id) & (col(DeedRow.fencing) == taken.fencing)
    return change(session, DeedRow, mine, col(DeedRow.state) == taken.state, **changes) == 1
