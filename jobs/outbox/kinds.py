"""What a kind of message is. The words are made by the doors, at the moment of sending."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from gateways.slack.protocol import Block
from storage.columns import JsonObject

UNDELIVERABLE = "undeliverable_to"
"""In the refs of a message that goes to the ops channel because it could not reach this person."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is said: `text` is what notifications and screen readers get."""

    text: str
    blocks: Sequence[Block] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """Slack has taken a message for the first time."""

    message_id: str
    refs: JsonObject
    channel: str
    ts: str
    at: datetime


Render = Callable[[Session, JsonObject, datetime], Message | None]
"""Refs and the present moment → the message, or None if there is nothing to say any more."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One line of the table that the composition root hands to the sender."""

    render: Render
    falls_back: bool = False
    """One that cannot reach its person goes to the ops channel, with `undeliverable_to` in its refs."""
    counts_if_here: bool = False
    """Something hangs on its person having it: to one who has left it is not sent."""
    on_taken: Callable[[Session, Taken], None] | None = None
    """What else is written when Slack has taken it, in the same transaction."""


Kinds = Mapping[str, Kind]
