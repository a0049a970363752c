"""The messages that show whose a pod is; they are drawn anew when somebody says something about that."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlmodel import Session, col, select

from storage.heads import redraw_heads
from storage.outbox import OutboxRow, message_called, redraw

_OF_ALL_PODS = "first_day"
_OF_SOME_PODS = ("unowned", "owner_left", "is_it_yours")


def redraw_whose(session: Session, pod_id: str, claim_ids: Iterable[str], at: datetime) -> None:
    """Every announcement of a claim on it, every list that shows it, the head of its thread."""
    announced = {message_called(session, f"claim/{claim_id}") for claim_id in claim_ids} - {None}
    for message in sorted({str(each) for each in announced} | _showing(session, pod_id)):
        redraw(session, message, at)
    redraw_heads(session, [pod_id], at)


def _showing(session: Session, pod_id: str) -> set[str]:
    kinds = col(OutboxRow.kind).in_([_OF_ALL_PODS, *_OF_SOME_PODS])
    sent = session.exec(select(OutboxRow.id, OutboxRow.kind, OutboxRow.refs).where(kinds))
    return {message for message, kind, refs in sent if kind == _OF_ALL_PODS or _is_about(refs, pod_id)}


def _is_about(refs: Mapping[str, object], pod_id: str) -> bool:
    pods = refs.get("pods")
    return refs.get("pod") == pod_id or (isinstance(pods, list) and pod_id in pods)
