"""The first message of a provision's thread tells what its pod does; it is drawn anew when that changes."""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from storage.outbox import redraw
from storage.provision import ProvisionRow
from storage.rows import CHUNK


def redraw_heads(session: Session, changed: Collection[str], at: datetime) -> None:
    """For pods of which something has changed that it tells: their phase, their keeps, whose they are, that
    they are gone. Only once the provision is over: until then it draws itself."""
    pod_ids = sorted(changed)
    for start in range(0, len(pod_ids), CHUNK):
        some = col(ProvisionRow.pod_id).in_(pod_ids[start : start + CHUNK])
        over = some & col(ProvisionRow.outcome).is_not(None)
        for head in session.exec(select(ProvisionRow.head_message).where(over)).all():
            if head is not None:
                redraw(session, head, at)
