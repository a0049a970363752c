"""Who is told of a deed: the asker of every outcome, the owner of every end by somebody else.

That a clock ended a pod, and that an end is not confirmed, is said by the table of who hears.
"""

from datetime import datetime

from sqlmodel import Session

from jobs.house import House
from pods.guards import Path
from storage.deed import STOP, Deed, DeedState
from storage.outbox import Letter, send
from storage.question import questions_about
from storage.question_group import redraw_copies

TOLD = "deed_told"
ASKED_BY_PERSON = frozenset({Path.OWNER, Path.ADMIN, STOP})


def tell(session: Session, house: House, over: Deed, now: datetime) -> None:
    """Everybody who has to hear of the outcome hears of it once; every card about the pod is drawn anew."""
    for person in sorted(_hear(over, house.ops_channel)):
        name = f"deed {over.id} {over.state} to {person}"
        send(
            session, Letter(name, person, TOLD, {"deed": over.id}, urgent=over.state is DeedState.FAILED), now
        )
    for question in questions_about(session, over.pod_id):
        redraw_copies(session, question, now)
    house.wakes.wake("outbox")
    if over.provision_id is not None:
        house.wakes.wake("provisions")


def _hear(over: Deed, ops_channel: str) -> set[str]:
    hear = set[str]()
    owner = over.owner or ops_channel
    if over.path in ASKED_BY_PERSON and over.state is not DeedState.UNDONE:
        hear.add(over.actor)
    if over.state is DeedState.DONE and over.path in (Path.ADMIN, Path.AGENT):
        hear.add(owner)
    if over.state is DeedState.FAILED:
        hear |= {owner, ops_channel}
    return hear
