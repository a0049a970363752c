"""What others do to a provision while its reconciler works on it: ask for something, free its name, fence it.

An ask makes the provision due at once, and is counted, so that a reconciler that has it in hand looks again.
"""

from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from storage.provision import ProvisionRow
from storage.rows import change, table_of


def free_name(session: Session, provision_id: str, at: datetime) -> bool:
    """Its pod is gone, or there never was one: the NAME may be used again. False if it was free before."""
    held = (col(ProvisionRow.id) == provision_id) & col(ProvisionRow.name_freed_at).is_(None)
    return change(session, ProvisionRow, held, name_freed_at=at) == 1


def call_off(session: Session, provision_id: str, by: str, at: datetime) -> bool:
    """Ask for it to be called off; it is looked at now. False if it was asked before, or is over."""
    can_be = col(ProvisionRow.cancelled_at).is_(None) & col(ProvisionRow.finished_at).is_(None)
    return _ask(session, provision_id, at, can_be, cancelled_by=by, cancelled_at=at)


def ask_for_retry(session: Session, provision_id: str, by: str, at: datetime) -> bool:
    """Ask for its bootstrap to be run again; it is looked at now."""
    return _ask(session, provision_id, at, retry_by=by, retry_at=at)


def forget_retry(session: Session, provision_id: str) -> None:
    """The run that was asked for has begun."""
    change(session, ProvisionRow, col(ProvisionRow.id) == provision_id, retry_by=None, retry_at=None)


def say_go_on(session: Session, provision_id: str, by: str, at: datetime) -> bool:
    """A person lets it go on; it is looked at now."""
    return _ask(session, provision_id, at, go_on_by=by, go_on_at=at)


def look_again(session: Session, provision_id: str, at: datetime) -> bool:
    """What its next look goes by has changed; it is looked at now. False if it is over."""
    return _ask(session, provision_id, at, col(ProvisionRow.finished_at).is_(None))


def note_decided(session: Session, provision_id: str, by: str, at: datetime) -> bool:
    """Somebody decided about the pod that a failed provision left alive. False if it was decided before."""
    undecided = (col(ProvisionRow.id) == provision_id) & col(ProvisionRow.decided_at).is_(None)
    return change(session, ProvisionRow, undecided, decided_by=by, decided_at=at) == 1


def set_head_message(session: Session, provision_id: str, message_id: str) -> None:
    """The message of the outbox in whose thread the provision lives."""
    change(session, ProvisionRow, col(ProvisionRow.id) == provision_id, head_message=message_id)


def set_fence(session: Session, provision_id: str, fence_at: datetime | None) -> datetime | None:
    """Put the end of `--for` in force, never earlier than it is. Returns what is in force, read back."""
    this = col(ProvisionRow.id) == provision_id
    if fence_at is not None:
        earlier = col(ProvisionRow.fence_at).is_(None) | (col(ProvisionRow.fence_at) < fence_at)
        change(session, ProvisionRow, this, earlier, fence_at=fence_at)
    return session.exec(select(ProvisionRow.fence_at).where(this)).one()


def move_fence(session: Session, provision_id: str, fence_at: datetime) -> bool:
    """Move the end of `--for` later. False if that is not later, or there is no such end."""
    later = (col(ProvisionRow.id) == provision_id) & (col(ProvisionRow.fence_at) < fence_at)
    return change(session, ProvisionRow, later, fence_at=fence_at) == 1


def _ask(
    session: Session, provision_id: str, at: datetime, *where: ColumnElement[bool], **values: object
) -> bool:
    asks = table_of(ProvisionRow).c.asks + 1
    this = col(ProvisionRow.id) == provision_id
    return change(session, ProvisionRow, this, *where, due_at=at, asks=asks, **values) == 1
