"""Putting messages into channels, by whatever way they come, with the events that follow."""

from __future__ import annotations

from dataclasses import replace

from simulator.slack.blockkit.surfaces import message_problems, text_length, with_ids
from simulator.slack.conversations import Channel, Message, message_json
from simulator.slack.jsontypes import Json, JsonObject, copy, objects
from simulator.slack.limits import LIMITS, MESSAGE_BLOCKS_TEXT_MAX, MESSAGE_TEXT_TRUNCATED_AT
from simulator.slack.office import Office


class RefusedContentError(Exception):
    """Content that Slack does not take: its error code and sentences."""

    def __init__(self, code: str, sentences: list[str] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.sentences = sentences or []


def checked_blocks(office: Office, blocks: Json) -> tuple[JsonObject, ...]:
    """Blocks as Slack keeps them, with ids; raises `RefusedContentError`."""
    if blocks is None:
        return ()
    if not isinstance(blocks, list):
        raise RefusedContentError("invalid_blocks_format")
    problems = message_problems(blocks)
    if problems:
        raise RefusedContentError("invalid_blocks", [str(problem) for problem in problems])
    if text_length(blocks) > MESSAGE_BLOCKS_TEXT_MAX:
        raise RefusedContentError("msg_blocks_too_long")
    new_id = lambda: office.workspace.new_id("b")  # noqa: E731
    return tuple(with_ids([copy(block) for block in objects(blocks)], new_id))


def check_content(text: str, blocks: tuple[JsonObject, ...], attachments: tuple[JsonObject, ...]) -> None:
    """A message has to say something; raises `RefusedContentError`."""
    if len(attachments) > LIMITS["message.attachments.max_items"]:
        raise RefusedContentError("too_many_attachments")
    if not text.strip() and not blocks and not attachments:
        raise RefusedContentError("no_text")


def post(office: Office, message: Message) -> Message:
    """Stores a message and tells the app of it, where it listens."""
    message = replace(message, text=message.text[:MESSAGE_TEXT_TRUNCATED_AT])
    office.workspace.post(message)
    if message.only_for is None:
        tell_of(office, message_json(message, files=files_of(office, message)), message.channel)
    return message


def edit(office: Office, old: Message, new: Message) -> Message:
    """Replaces a message, which from then on counts as edited."""
    edited = replace(new, edited_ts=office.workspace.next_ts())
    office.workspace.put(edited)
    if edited.only_for is None:
        event: JsonObject = {
            "type": "message",
            "subtype": "message_changed",
            "hidden": True,
            "ts": office.workspace.next_ts(),
            "message": message_json(edited),
            "previous_message": message_json(old),
        }
        tell_of(office, event, edited.channel)
    return edited


def delete(office: Office, message: Message) -> None:
    office.workspace.remove(message.channel, message.ts)
    if message.only_for is None:
        event: JsonObject = {
            "type": "message",
            "subtype": "message_deleted",
            "hidden": True,
            "ts": office.workspace.next_ts(),
            "deleted_ts": message.ts,
            "previous_message": message_json(message),
        }
        tell_of(office, event, message.channel)


def ephemeral(office: Office, channel: str, user: str, author: str, text: str, **more: str | None) -> Message:
    """A line that only one person sees."""
    message = Message(office.workspace.next_ts(), channel, author, text, only_for=user)
    return post(office, replace(message, thread_ts=more.get("thread_ts")))


def files_of(office: Office, message: Message) -> list[JsonObject]:
    workspace = office.workspace
    return [
        workspace.file_json(workspace.files[ident]) for ident in message.files if ident in workspace.files
    ]


_FAMILY = {"public": "channels", "private": "groups", "im": "im", "mpim": "mpim"}
_CHANNEL_TYPE = {"public": "channel", "private": "group", "im": "im", "mpim": "mpim"}


def tell_of(office: Office, event: JsonObject, channel_id: str) -> None:
    """A message event, if the app is in the conversation and asked for its kind."""
    workspace = office.workspace
    channel: Channel = workspace.channels[channel_id]
    bot = workspace.app.bot_user_id
    if bot not in channel.members:
        return
    wanted = workspace.manifest.bot_events
    shown: JsonObject = {
        **event,
        "channel": channel_id,
        "channel_type": _CHANNEL_TYPE[channel.kind],
        "event_ts": event.get("ts"),
    }
    if f"message.{_FAMILY[channel.kind]}" in wanted:
        office.event(shown)
    mentioned = f"<@{bot}" in str(event.get("text", ""))
    if mentioned and channel.kind != "im" and "app_mention" in wanted and "subtype" not in event:
        office.event({**shown, "type": "app_mention"})
