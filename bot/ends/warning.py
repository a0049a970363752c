"""The message by which an owner hears beforehand that an admin ends a pod."""

from datetime import datetime

from sqlmodel import Session

from bot.alerts.pods import called, costs
from bot.text import actions, button, mention, section, word
from jobs.outbox.kinds import Message
from pods.permission import ADMIN_WARNING
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.deed import DeedState, deed


def admin_ends(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """To the owner, before the end; nothing if it is over already."""
    act = deed(session, str(refs["deed"]))
    if act is None or act.state is not DeedState.DUE:
        return None
    reason = f" The reason given: “{word(act.reason, 300)}”." if act.reason else ""
    text = (
        f":warning: {mention(act.actor)} ends your pod {called(session, act.pod_id)} "
        f"{span_in_words(ADMIN_WARNING)} after this message, or at once if nothing ever ran on it.{reason} "
        f"{costs(session, act.pod_id, now)} If you still need it, undo this or keep it."
    )
    return Message(text, [section(text), actions(button("Undo", "deed_undo", act.id))])
