"""What an admin may say that RunPod's answers do not: that the account is empty, that the nulls are true."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session

from jobs.house import House
from jobs.observe.folding import FLEET, WITNESS
from pods.listings import Fleet
from pods.witness import TRUSTED, Witness
from storage.columns import JsonObject
from storage.keys import new_key
from storage.listing import last_listings, recall, remember
from storage.outbox import Letter, send
from storage.trail import Event, record


class Word(StrEnum):
    """What is said. The value is the name of what we remember of it, and so the id of that row."""

    EMPTY = FLEET
    NULLS_ARE_TRUE = WITNESS


class Refused(StrEnum):
    """Why nothing was changed."""

    NOT_ADMIN = "Only admins can say that. Nothing was changed."
    NOT_EMPTY = "RunPod's last list has pods in it, so the account is not empty. Nothing was changed."
    NOT_MISSED = "No pod is missing any more. Nothing was changed."
    NOT_OUT = "RunPod shows again what runs on the pods. Nothing was changed."


def say(session: Session, house: House, word: Word, by: str) -> Refused | None:
    """Take an admin at his word; the next look goes by it. All of the ops channel hears who said it."""
    if by not in house.admins:
        return Refused.NOT_ADMIN
    now = house.clock.now()
    seen = _empty(session, now) if word is Word.EMPTY else _nulls_are_true(session, now)
    if isinstance(seen, Refused):
        return seen
    record(session, Event(now, by, "observation.overruled", word, seen))
    told: JsonObject = {"word": word, "by": by}
    send(session, Letter(f"overruled/{new_key()}", house.ops_channel, "overruled", told, urgent=True), now)
    house.wakes.wake("observe")
    house.wakes.wake("outbox")
    return None


def _empty(session: Session, now: datetime) -> JsonObject | Refused:
    fleet = recall(session, FLEET, Fleet) or Fleet()
    last = last_listings(session, 1)
    if not fleet.pods or fleet.said_empty:
        return Refused.NOT_MISSED
    if not last or not last[0].whole or last[0].pods:
        return Refused.NOT_EMPTY
    remember(session, FLEET, replace(fleet, said_empty=True), now)
    return {"missing": [*sorted(fleet.pods)]}


def _nulls_are_true(session: Session, now: datetime) -> JsonObject | Refused:
    witness = recall(session, WITNESS, Witness) or TRUSTED
    if not witness.out:
        return Refused.NOT_OUT
    remember(session, WITNESS, TRUSTED, now)
    return {"lost": [*sorted(witness.lost)]}
