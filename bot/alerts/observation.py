"""What the ops channel, or the admins, hear about observation itself."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.alerts.overruling import overrule_button
from bot.alerts.pods import listed
from bot.text import actions, code, mention, section, word
from jobs.observe.folding import WITNESS
from jobs.outbox.kinds import Message
from jobs.overruling import Word, present
from pods.witness import Witness
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.listing import recall


def pods_missing(session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """So much is missing that it looks like a fault."""
    missing = _strings(refs["missing"])
    number = f"{len(missing)} {'pod is' if len(missing) == 1 else 'pods are'}"
    what = "Every pod is" if refs["blind"] else number
    said = _said(
        f":warning: *{what} missing from RunPod's list, and nothing proves that they are gone.* Until that "
        "is clear I end nothing. Has somebody changed the key or its rights?",
        f"Missing: {listed(session, missing)}",
    )
    return _asking_admins(session, said, "they are really gone", Word.EMPTY) if refs["blind"] else said


def pods_seen_again(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """The alarm is over."""
    return _said(f"RunPod's list is whole again: {refs['pods']} pods, and nothing is missing unexplained.")


def witness_out(session: Session, _refs: JsonObject, now: datetime) -> Message | None:
    """RunPod shows nothing of many pods at once."""
    witness = recall(session, WITNESS, Witness)
    if witness is None or witness.out_since is None:
        return None
    lost = sorted(witness.lost)
    since = span_in_words(now - witness.out_since)
    how_long = f"for {since} now" if now > witness.out_since else "at the same moment"
    said = _said(
        f":warning: *{len(lost)} pods stopped showing what runs on them {how_long}.* That looks like a fault "
        "at RunPod, not at the pods, so as long as it lasts I take it as proof of nothing and end no pod "
        "because of it.",
        f"They are: {listed(session, lost)}",
    )
    return _asking_admins(session, said, "nothing runs on them indeed", Word.NULLS_ARE_TRUE)


def witness_back(_session: Session, _refs: JsonObject, _now: datetime) -> Message | None:
    """RunPod's word counts again."""
    return _said("RunPod shows again what runs on the pods. I go by it from now on.")


def clock_doubtful(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """Ours and RunPod's clocks differ."""
    off = refs.get("off_s")
    by = f" by {span_in_words(timedelta(seconds=abs(off)))}" if isinstance(off, float | int) else ""
    return _said(
        f":warning: *My clock and RunPod's differ{by}.* Until they agree I end nothing by myself. "
        "Please check the clock of the machine that I run on."
    )


def clock_sound(_session: Session, _refs: JsonObject, _now: datetime) -> Message | None:
    """The clocks agree again."""
    return _said("My clock and RunPod's agree again.")


def status_texts_lost(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """The second witness is lost."""
    return _said(
        f"RunPod's own words about stopped pods cannot be had any more: {word(str(refs['why']), 300)} "
        "Everything else goes on; since when a pod is stopped I know from my own looks."
    )


def ops_channel_lost(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """To each admin: what should be seen by all is seen by nobody."""
    return _said(
        f":warning: *The ops channel takes no messages from me* ({code(str(refs['reason']))}). Until it does "
        "so, no pod is ended by a clock. Please invite me to it again, or set "
        "PODKEEPER_OPS_CHANNEL to another."
    )


def ops_channel_back(_session: Session, _refs: JsonObject, _now: datetime) -> Message | None:
    """In the channel itself."""
    return _said("I can write here again. While I could not, no pod was ended by a clock.")


def unanswered(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """Somebody could not be told what came of what they did. What that was is not for all to read."""
    return _said(
        f"I could not answer {mention(str(refs['user']))}: nothing that I send reaches them "
        f"({code(str(refs['reason']))}). `/pod` in a channel where I am still works for them."
    )


def _said(*paragraphs: str) -> Message:
    return Message(paragraphs[0], [section(paragraph) for paragraph in paragraphs])


def _asking_admins(session: Session, said: Message, what: str, word: Word) -> Message:
    """The alert with the button by which an admin ends it; without, once it is over."""
    about = present(session, word)
    if about is None:
        return said
    asked = section(f"If an admin knows that {what}:")
    return Message(said.text, [*said.blocks, asked, actions(overrule_button(word, about.key))])


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []
