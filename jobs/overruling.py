"""What an admin may say that RunPod's answers do not: that the account is empty, that the nulls are true."""

from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from sqlmodel import Session

from jobs.house import House
from jobs.observe.folding import FLEET, OBSERVER, WITNESS, Observed
from pods.ids import PodId
from pods.listings import Fleet
from pods.witness import TRUSTED, Witness
from storage.columns import JsonObject
from storage.keys import key_from, new_key
from storage.listing import last_listings, recall, remember
from storage.outbox import Letter, send
from storage.trail import Event, record


class Word(StrEnum):
    """What is said."""

    EMPTY = FLEET
    NULLS_ARE_TRUE = WITNESS


class Shown(NamedTuple):
    """What an alert asked about: these pods, at that time. An older alert says nothing of another outage."""

    key: str
    pods: tuple[str, ...]


class Refused(StrEnum):
    """Why nothing was changed."""

    NOT_ADMIN = "Only admins can say that. Nothing was changed."
    NOT_EMPTY = "RunPod's last list has pods in it, so the account is not empty. Nothing was changed."
    NOT_MISSED = "No pod is missing any more. Nothing was changed."
    ANOTHER = "It is about more or other pods by now than that message shows. Nothing was changed."
    NOT_OUT = "RunPod shows again what runs on the pods. Nothing was changed."


def present(session: Session, word: Word) -> Shown | None:
    """What could be said of now; None: nothing."""
    match word:
        case Word.EMPTY:
            fleet = recall(session, FLEET, Fleet) or Fleet()
            return _shown(word, fleet.pods) if not fleet.said_empty else None
        case Word.NULLS_ARE_TRUE:
            witness = recall(session, WITNESS, Witness) or TRUSTED
            return _shown(f"{word} {witness.out_since}", witness.lost) if witness.out else None


def _shown(about: str, pods: frozenset[PodId]) -> Shown | None:
    ids = tuple(sorted(pods))
    return Shown(key_from(f"{about} {ids}"), ids) if ids else None


def say(session: Session, house: House, word: Word, shown: str, by: str) -> Refused | None:
    """Take an admin at his word; the next look goes by it. All of the ops channel hears who said it.

    `shown`: the key of what the admin was shown.
    """
    if by not in house.admins:
        return Refused.NOT_ADMIN
    now = house.clock.now()
    # A look that is being written down at this moment would write its own opinion over what is said.
    remember(session, OBSERVER, Observed(now), now)
    now_shown = present(session, word)
    if refused := _refused(session, word, now_shown, shown):
        return refused
    match word:
        case Word.EMPTY:
            fleet = recall(session, FLEET, Fleet) or Fleet()
            remember(session, FLEET, replace(fleet, said_empty=True), now)
        case Word.NULLS_ARE_TRUE:
            remember(session, WITNESS, TRUSTED, now)
    seen: JsonObject = {"pods": [*now_shown.pods] if now_shown else []}
    record(session, Event(now, by, "observation.overruled", word, seen))
    told: JsonObject = {"word": word, "by": by}
    send(session, Letter(f"overruled/{new_key()}", house.ops_channel, "overruled", told, urgent=True), now)
    house.wakes.wake("observe")
    house.wakes.wake("outbox")
    return None


def _refused(session: Session, word: Word, now_shown: Shown | None, shown: str) -> Refused | None:
    last = last_listings(session, 1)
    if now_shown is None:
        return Refused.NOT_MISSED if word is Word.EMPTY else Refused.NOT_OUT
    if word is Word.EMPTY and (not last or not last[0].whole or last[0].pods):
        return Refused.NOT_EMPTY
    return None if now_shown.key == shown else Refused.ANOTHER
