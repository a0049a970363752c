"""The messages of a provision's thread that tell what its pod does, or offer to do something about it."""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from storage.outbox import OutboxRow, redraw
from storage.provision import ProvisionRow
from storage.rows import CHUNK

END = "provision_end"
"""The reply that says how a provision has ended, with what can be done about its pod."""


def redraw_heads(session: Session, changed: Collection[str], at: datetime, *, ends: bool = False) -> None:
    """The first messages, for pods of which something has changed that they tell: their phase, their keeps,
    whose they are. `ends`: the replies about the end as well, for the pods are gone.

    Only once the provision is over: until then it draws itself.
    """
    pod_ids = sorted(changed)
    for start in range(0, len(pod_ids), CHUNK):
        some = col(ProvisionRow.pod_id).in_(pod_ids[start : start + CHUNK])
        over = some & col(ProvisionRow.outcome).is_not(None)
        heads = [head for head in session.exec(select(ProvisionRow.head_message).where(over)) if head]
        for message in [*heads, *(_ends(session, heads) if ends else [])]:
            redraw(session, message, at)


def _ends(session: Session, heads: Collection[str]) -> list[str]:
    replies = col(OutboxRow.thread_of).in_(heads) & (col(OutboxRow.kind) == END)
    return list(session.exec(select(OutboxRow.id).where(replies)))
