"""Announcing what admins allowed or forbade, with who did it."""

from datetime import datetime

from sqlmodel import Session

from bot.text import mention, section
from jobs.outbox.kinds import Message
from storage.columns import JsonObject
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED

_WORDS = {
    (ARMED_NEVER_RAN, "on"): (
        "armed `never-ran`: I now end pods that I made, on which nothing ever ran, by myself."
    ),
    (ARMED_NEVER_RAN, "off"): "disarmed `never-ran`: I end no pod for never having run; I ask.",
    (ARMED_STALE, "on"): (
        "armed `stale`: I now end pods that I made and that have been stopped for long, after telling "
        "their owners."
    ),
    (ARMED_STALE, "off"): "disarmed `stale`: I end no stopped pod by myself; I ask.",
    (PAUSED, "on"): "paused everything: nothing at all is ended or stopped until `/pod unpause`.",
    (PAUSED, "off"): "ended the pause: what it held goes on.",
}


def switch_set(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """Who did what."""
    words = _WORDS.get((str(refs["switch"]), str(refs["value"])))
    if words is None:
        return None
    text = f"{mention(str(refs['by']))} {words}"
    return Message(text, [section(text)])
