"""The messages that show whose a pod is; they are drawn anew when that changes, or the pod is gone."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from sqlmodel import Session, col, select

from storage.heads import redraw_heads
from storage.outbox import OutboxRow, message_called, redraw

_OF_ALL_PODS = "first_day"
_OF_SOME_PODS = ("unowned", "owner_left", "is_it_yours", "pod_state")


def announcement_name(claim_id: str) -> str:
    """Names the message by which all hear of a claim."""
    return f"claim/{claim_id}"


def redraw_whose(session: Session, pod_id: str, claim_ids: Iterable[str], at: datetime) -> None:
    """Every announcement of a claim on it, every list that shows it, the head of its thread."""
    announced = {message_called(session, announcement_name(claim_id)) for claim_id in claim_ids} - {None}
    for message in sorted({str(each) for each in announced} | _showing(session, [pod_id])):
        redraw(session, message, at)
    redraw_heads(session, [pod_id], at)


def redraw_gone(session: Session, pod_ids: Collection[str], at: datetime) -> None:
    """Nobody can take these any more, and nothing is left to be done about them."""
    if not pod_ids:
        return
    for message in sorted(_showing(session, pod_ids)):
        redraw(session, message, at)
    redraw_heads(session, pod_ids, at, ends=True)


def _showing(session: Session, pod_ids: Collection[str]) -> set[str]:
    kinds = col(OutboxRow.kind).in_([_OF_ALL_PODS, *_OF_SOME_PODS])
    sent = session.exec(select(OutboxRow.id, OutboxRow.kind, OutboxRow.refs).where(kinds))
    pods = frozenset(pod_ids)
    return {message for message, kind, refs in sent if kind == _OF_ALL_PODS or pods & _about(refs)}


def _about(refs: Mapping[str, object]) -> set[object]:
    pods = refs.get("pods")
    return {refs.get("pod"), refs.get("subject"), *(pods if isinstance(pods, list) else [])}
