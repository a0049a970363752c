"""Channels, direct messages and what stands in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from simulator.slack.jsontypes import Json, JsonObject

Kind = Literal["public", "private", "im", "mpim"]


@dataclass
class Channel:
    id: str
    name: str
    kind: Kind
    members: list[str] = field(default_factory=list)
    archived: bool = False
    shared: bool = False
    created: int = 0

    def other(self, user: str) -> str:
        """The other person of a direct message."""
        return next((member for member in self.members if member != user), user)


@dataclass(frozen=True)
class Message:
    """One message; `only_for` is set on ephemerals, `blocks` always carry their ids."""

    ts: str
    channel: str
    author: str
    text: str
    blocks: tuple[JsonObject, ...] = ()
    attachments: tuple[JsonObject, ...] = ()
    thread_ts: str | None = None
    broadcast: bool = False
    only_for: str | None = None
    edited_ts: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    files: tuple[str, ...] = ()
    metadata: JsonObject | None = None
    subtype: str | None = None

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass(frozen=True)
class StoredFile:
    id: str
    name: str
    title: str
    size: int
    content: bytes | None = None
    mimetype: str = "text/plain"
    alt_text: str = ""
    channels: tuple[str, ...] = ()
    completed: bool = False


def channel_json(channel: Channel, *, member: bool, viewer: str) -> JsonObject:
    """`channel` of conversations.info."""
    shown: JsonObject = {
        "id": channel.id,
        "created": channel.created,
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_channel": channel.kind == "public",
        "is_group": channel.kind == "private",
        "is_archived": channel.archived,
        "is_private": channel.kind != "public",
        "is_ext_shared": channel.shared,
        "is_shared": channel.shared,
    }
    if channel.kind == "im":
        return shown | {"user": channel.other(viewer), "is_open": True}
    return shown | {"name": channel.name, "name_normalized": channel.name, "is_member": member}


def message_json(message: Message, *, files: list[JsonObject] | None = None) -> JsonObject:
    """`message` as events, payloads and chat.postMessage carry it."""
    shown: JsonObject = {
        "type": "message",
        "user": message.author,
        "ts": message.ts,
        "text": message.text,
    }
    optional: dict[str, Json] = {
        "blocks": list(message.blocks) or None,
        "attachments": list(message.attachments) or None,
        "thread_ts": message.thread_ts,
        "bot_id": message.bot_id,
        "app_id": message.app_id,
        "metadata": message.metadata,
        "subtype": message.subtype,
        "edited": {"user": message.author, "ts": message.edited_ts} if message.edited_ts else None,
        "files": list(files) if files else None,
    }
    return shown | {key: value for key, value in optional.items() if value is not None}
