"""Whole places and whole screens as plain text."""

from __future__ import annotations

from simulator.slack.conversations import Channel, Message
from simulator.slack.jsontypes import text_at
from simulator.slack.render.blocks import block_lines, view_lines
from simulator.slack.render.mrkdwn import Reader
from simulator.slack.users import User
from simulator.slack.workspace import SlackWorkspace


def message_plain(workspace: SlackWorkspace, message: Message, viewer: User) -> str:
    """A message's content as read by one person; blocks hide the text, as in Slack."""
    reader = Reader(workspace, viewer)
    values = workspace.choices.get((message.channel, message.ts, viewer.id))
    lines = block_lines(list(message.blocks), reader, values) if message.blocks else []
    if not message.blocks:
        lines = reader.plain(message.text).splitlines()
        lines += [
            reader.plain(text_at(each, "text") or text_at(each, "fallback")) for each in message.attachments
        ]
    elif message.files and message.text:
        lines = [reader.plain(message.text), *lines]
    for ident in message.files:
        lines.append(f"(file: {workspace.files[ident].title})")
    return "\n".join(lines)


def place_name(workspace: SlackWorkspace, channel: Channel, viewer: User) -> str:
    """`#general`, or `@Podkeeper` for a direct message."""
    if channel.kind != "im":
        return f"#{channel.name}"
    return f"@{workspace.users[channel.other(viewer.id)].shown_name}"


def channel_plain(workspace: SlackWorkspace, channel: Channel, viewer: User) -> str:
    """A channel as one person sees it, with threads under their first message."""
    visible = workspace.visible(viewer.id, channel.id)
    lines: list[str] = []
    for message in visible:
        if message.is_reply and any(each.ts == message.thread_ts for each in visible):
            continue
        lines += _message_lines(workspace, message, viewer, "")
        for reply in visible:
            if reply.is_reply and reply.thread_ts == message.ts:
                lines += _message_lines(workspace, reply, viewer, "  ↳ ")
    return "\n".join(lines)


def screen(workspace: SlackWorkspace, viewer: User) -> str:
    """Every place that has something to see, then Home and modal, then what went wrong."""
    parts: list[str] = []
    for channel in workspace.channels.values():
        shown = channel_plain(workspace, channel, viewer)
        if shown:
            parts.append(f"=== {place_name(workspace, channel, viewer)}\n{shown}")
    reader = Reader(workspace, viewer)
    home, stack = workspace.homes.get(viewer.id), workspace.modals.get(viewer.id, [])
    if home is not None:
        parts.append("=== Home\n" + "\n".join(view_lines(home, reader)))
    if stack:
        parts.append("=== Modal\n" + "\n".join(view_lines(stack[-1], reader)))
    troubles = [f"⚠ {each.what}: {each.error}" for each in workspace.warnings.get(viewer.id, [])]
    return "\n\n".join([*parts, *(["\n".join(troubles)] if troubles else [])])


def _message_lines(workspace: SlackWorkspace, message: Message, viewer: User, indent: str) -> list[str]:
    author = (
        workspace.users[message.author].shown_name if message.author in workspace.users else message.author
    )
    marks = " (only you)" if message.only_for else " (edited)" if message.edited_ts else ""
    content = message_plain(workspace, message, viewer).splitlines() or [""]
    margin = " " * len(indent) + "  "
    return [f"{indent}{author}{marks}: {content[0]}", *(margin + line for line in content[1:])]
