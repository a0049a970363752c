"""What people are told about agents, drawn from the present facts at the moment of sending."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from gateways.slack.protocol import Block
from jobs.outbox.kinds import Kind, Kinds, Message
from storage.agent import Agent, agent
from storage.agent_request import Note, note
from storage.columns import JsonObject

LONGEST = 2_900
"""Characters; Slack takes 3,000 in one text."""


def plain(text: str) -> str:
    """Words of a program as words: nothing in them mentions, links or pretends to be a control of Slack's."""
    return _cut(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _note(session: Session, refs: JsonObject, _: datetime) -> Message | None:
    found = _found(session, refs)
    if found is None:
        return None
    words: Block = {"type": "plain_text", "text": _cut(found.text), "emoji": False}
    said_by: Block = {"type": "mrkdwn", "text": f"A note of the agent {found.agent}, in its own words:"}
    blocks: list[Block] = [{"type": "context", "elements": [said_by]}, {"type": "section", "text": words}]
    return Message(f"{found.agent} notes: {plain(found.text)}", blocks)


def _note_task(session: Session, refs: JsonObject, _: datetime) -> Message | None:
    found = _found(session, refs)
    if found is None:
        return None
    return Message(f"Notes of the agent {found.agent} about its task “{plain(found.task or '')}”.")


def _found(session: Session, refs: JsonObject) -> Note | None:
    return note(session, str(refs["agent"]), str(refs["note"]))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _told(sentence: str) -> Callable[[Session, JsonObject, datetime], Message]:
    def render(_: Session, refs: JsonObject, __: datetime) -> Message:
        return Message(sentence.format(agent=refs["agent"], owner=f"<@{refs['owner']}>"))

    return render


def _confirm(session: Session, refs: JsonObject, _: datetime) -> Message | None:
    known = agent(session, str(refs["agent"]))
    if known is None:
        return None
    return Message(_question(known), _with_button(_question(known), known))


def _question(known: Agent) -> str:
    if known.confirmed_at is not None:
        return f"The agent *{known.name}* is yours. What it rents is rented for you."
    return (
        f"Somebody added the coding agent *{known.name}* in your name. Once you say so it may rent pods "
        "for you, and keep and end those that it rented. Until then it can do nothing."
    )


def _with_button(text: str, known: Agent) -> list[Block]:
    section: Block = {"type": "section", "text": {"type": "mrkdwn", "text": text}}
    if known.confirmed_at is not None:
        return [section]
    button: Block = {
        "type": "button",
        "action_id": "agent_confirm",
        "value": known.name,
        "style": "primary",
        "text": {"type": "plain_text", "text": "Yes, mine"},
    }
    return [section, {"type": "actions", "elements": [button]}]


AGENT_KINDS: Kinds = {
    "note": Kind(_note),
    "note_task": Kind(_note_task),
    "agent_added": Kind(_told("The coding agent *{agent}* was added for {owner}, who has to confirm it.")),
    "agent_rotated": Kind(_told("The coding agent *{agent}* of {owner} got a new secret.")),
    "agent_removed": Kind(_told("The coding agent *{agent}* of {owner} was removed.")),
    "agent_confirm": Kind(_confirm),
}
"""The agents' lines of the composition root's table of messages."""
