"""What people are told of a provision: rows of the outbox, which say what about, never the words.

One message is the provision's head and is drawn anew; whatever happens is a reply in its thread. At the end
one reply mentions whoever asked.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from jobs.provision.home import Home
from pods.hearing import State
from pods.provision.outcomes import ENDINGS, PodFate
from pods.provision.stages import Stage
from pods.provision.value import Provision
from storage.columns import JsonObject
from storage.heads import END
from storage.outbox import Letter, redraw, send
from storage.said import Said, note_said

NEWS = "provision_news"
_TICK = timedelta(microseconds=1)
"""Keeps what is said at one moment in its order."""


def tell(session: Session, home: Home, before: Provision, after: Provision, now: datetime) -> bool:
    """Have people told what changed between two states of a provision. False if nothing did."""
    lines, stage = len(after.lines) > len(before.lines), after.stage is not before.stage
    ended = after.outcome is not None and after.outcome is not before.outcome
    if not (lines or stage or ended):
        return False
    redraw(session, home.head, now)
    told = 0 if before.stage is Stage.WISHED else len(before.lines)
    refs: JsonObject = {
        "provision": after.id,
        "from": told,
        "to": len(after.lines),
        "stage": str(after.stage) if stage else None,
        "run": after.run,
    }
    kind = END if ended else NEWS
    name = f"provision/{after.id}/{kind}/{after.stage}/{after.run}/{len(after.lines)}"
    letter = Letter(name, home.target, kind, refs, thread_of=home.head, urgent=ended)
    send(session, letter, now, now + _TICK * (len(after.lines) + 1))
    if ended:
        _note_heard(session, after, now)
    return True


def draw_head(session: Session, home: Home, now: datetime) -> None:
    """Have the head drawn anew: time has passed, money was spent, a log has grown."""
    redraw(session, home.head, now)


def _note_heard(session: Session, after: Provision, now: datetime) -> None:
    """The end of a failed provision that left its pod alive is the first time that its people hear of it."""
    if after.pod is not None and after.outcome is not None and ENDINGS[after.outcome].pod is PodFate.LEFT:
        note_said(session, Said(after.pod.pod_id, State.PROVISION_FAILED, now, 1, now))
