"""What a new `serve` finds in the hands of one that died."""

from sqlmodel import Session

from storage.deed import DeedRow
from storage.inbox import InboxRow
from storage.leases import let_go_of_all
from storage.outbox import OutboxRow
from storage.provision import ProvisionRow
from storage.rows import on_sqlite


def take_over(session: Session) -> None:
    """On SQLite there is one `serve` at a time, so that what another had in hand is free at once.

    On PostgreSQL others may be at work, and a lease ends by its time.
    """
    if on_sqlite(session):
        for row in (ProvisionRow, DeedRow, InboxRow, OutboxRow):
            let_go_of_all(session, row)
