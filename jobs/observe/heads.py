"""The first message of a provision's thread tells what its pod does; it is drawn anew when that changes."""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from pods.ids import PodId
from storage.outbox import redraw
from storage.provision import ProvisionRow


def redraw_heads(session: Session, changed: Collection[PodId], at: datetime) -> None:
    """For pods whose phase has changed, and whose provision is over: until then it draws itself."""
    over = col(ProvisionRow.pod_id).in_(changed) & col(ProvisionRow.outcome).is_not(None)
    for head in session.exec(select(ProvisionRow.head_message).where(over)).all() if changed else ():
        if head is not None:
            redraw(session, head, at)
