"""What may be forgotten: rows that nobody will ask for any more. The ledger and the trail never are."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Table, delete, exists, or_, select, tuple_
from sqlmodel import Session

from storage.agent_request import AgentRequestRow, NoteRow
from storage.deed import DeedRow
from storage.inbox import InboxRow
from storage.job import SlotRow
from storage.listing import RememberedRow
from storage.log_file import LOG_FILES
from storage.outbox import OutboxRow
from storage.page import PageRow
from storage.place import BadPlaceRow
from storage.provision import ProvisionRow
from storage.question import QuestionCopyRow, QuestionRow, QuestionState
from storage.rows import CHUNK, table_of
from storage.run_log import RUN_LOG

INBOX = timedelta(days=7)
"""Longer than Slack or an agent repeats a delivery."""
OUTBOX = timedelta(days=30)
REQUESTS = timedelta(days=30)
"""Agents' events. Longer by far than a signature is good for, so that none is ever taken in twice."""
NOTES = timedelta(days=90)
"""Longer than a message of the outbox is tried, which is drawn from them."""
PAGES = timedelta(days=7)
SLOTS = timedelta(days=90)
LOGS = timedelta(days=30)
"""The ends of logs of runs on pods, counted from when they last grew."""


def prune(session: Session, now: datetime) -> int:
    """Forget some of what is old, a few hundred rows of each kind at a time.

    Returns how many there were: to be called again while it is not 0.
    """
    inbox, outbox = table_of(InboxRow), table_of(OutboxRow)
    page, slot, place = table_of(PageRow), table_of(SlotRow), table_of(BadPlaceRow)
    copies, provision = table_of(QuestionCopyRow), table_of(ProvisionRow)
    told = or_(outbox.c.delivered_at < now - OUTBOX, outbox.c.gave_up_at < now - OUTBOX)
    redrawn = select(copies.c.message_id).union(
        select(provision.c.head_message).where(provision.c.head_message.is_not(None))
    )
    small, request, note = table_of(RememberedRow), table_of(AgentRequestRow), table_of(NoteRow)
    logs = or_(small.c.name.startswith(RUN_LOG), small.c.name.startswith(LOG_FILES))
    return sum(
        (
            _forget(session, inbox, inbox.c.done_at < now - INBOX),
            _forget(session, outbox, told & outbox.c.due_at.is_(None) & outbox.c.id.not_in(redrawn)),
            _forget(session, request, (request.c.updated_at < now - REQUESTS) & ~_still_open(request)),
            _forget(session, note, note.c.at < now - NOTES),
            _forget(session, page, page.c.at < now - PAGES),
            _forget(session, slot, slot.c.slot < now - SLOTS),
            _forget(session, place, place.c.until < now),
            _forget(session, small, logs & (small.c.at < now - LOGS)),
        )
    )


def _still_open(request: Table) -> ColumnElement[bool]:
    """What an agent asked for may still come to something: its deed, its provision, or a person's answer."""
    deed, provision, question = table_of(DeedRow), table_of(ProvisionRow), table_of(QuestionRow)
    return or_(
        exists().where(deed.c.id == request.c.deed_id, deed.c.finished_at.is_(None)),
        exists().where(provision.c.id == request.c.provision_id, provision.c.finished_at.is_(None)),
        (request.c.state == "asked")
        & exists().where(question.c.pod_id == request.c.pod_id, question.c.state == QuestionState.OPEN),
    )


def _forget(session: Session, table: Table, old: ColumnElement[bool]) -> int:
    keys = list(table.primary_key)
    some = select(*keys).where(old).limit(CHUNK)
    return session.exec(delete(table).where(tuple_(*keys).in_(some))).rowcount
