"""What may be forgotten: rows that nobody will ask for any more. The ledger and the trail never are."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Table, delete, exists, or_, select, tuple_
from sqlmodel import Session

from storage.agent_request import AgentRequestRow, NoteRow
from storage.deed import DeedRow
from storage.history import EpisodeRow
from storage.inbox import InboxRow
from storage.job import SlotRow
from storage.listing import RememberedRow
from storage.log_file import LOG_FILES
from storage.outbox import OutboxRow
from storage.page import PageRow
from storage.place import BadPlaceRow
from storage.pod import PodRow
from storage.provision import ProvisionRow
from storage.question import QuestionCopyRow, QuestionRow, QuestionState
from storage.rows import CHUNK, table_of
from storage.run_log import RUN_LOG
from storage.said import SaidRow

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
PAST = timedelta(days=90)
"""What was asked, said and seen of a pod, counted from when it was gone. What was decided is in the trail."""


def prune(session: Session, now: datetime) -> int:
    """Forget some of what is old, a few hundred rows of each kind at a time.

    Returns how many there were: to be called again while it is not 0.
    """
    inbox, outbox = table_of(InboxRow), table_of(OutboxRow)
    page, slot, place = table_of(PageRow), table_of(SlotRow), table_of(BadPlaceRow)
    copies, provision = table_of(QuestionCopyRow), table_of(ProvisionRow)
    unheard = outbox.c.kind == "claim_announced"  # one that reached nobody keeps its claim from settling
    told = or_(outbox.c.delivered_at < now - OUTBOX, (outbox.c.gave_up_at < now - OUTBOX) & ~unheard)
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
            _forget_past(session, now - PAST),
        )
    )


def _forget_past(session: Session, before: datetime) -> int:
    """Questions are forgotten after the messages that show them are no longer redrawn for them."""
    question, copies = table_of(QuestionRow), table_of(QuestionCopyRow)
    said, episode, pod = table_of(SaidRow), table_of(EpisodeRow), table_of(PodRow)
    over = (question.c.closed_at < before) & _is_past(question.c.pod_id, before)
    is_shown = exists().where(copies.c.question_id == question.c.id)
    return sum(
        (
            _forget(session, copies, copies.c.question_id.in_(select(question.c.id).where(over))),
            _forget(session, question, over & ~is_shown),
            _forget(session, said, (said.c.at < before) & _is_past(said.c.subject, before)),
            _forget(
                session, episode, exists().where(pod.c.pod_id == episode.c.pod_id, pod.c.gone_at < before)
            ),
        )
    )


def _is_past(subject: ColumnElement[str], before: datetime) -> ColumnElement[bool]:
    """The pod, provision or deed of this id is over since then: nothing more is asked or said of it."""
    pod, provision, deed = table_of(PodRow), table_of(ProvisionRow), table_of(DeedRow)

    def goes_on(table: Table, name: str, end: str) -> ColumnElement[bool]:
        lasts = or_(table.c[end].is_(None), table.c[end] >= before)
        return exists().where(table.c[name] == subject, lasts)

    return ~or_(
        goes_on(pod, "pod_id", "gone_at"),
        goes_on(provision, "id", "finished_at"),
        goes_on(deed, "id", "finished_at"),
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
