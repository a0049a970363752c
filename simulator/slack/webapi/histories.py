"""What was said: conversations.history and conversations.replies, as far as an app looks for its own words.

A team's own app may read them (docs.slack.dev, rate limits); one that is sold outside of the Marketplace has
next to no allowance.
"""

from __future__ import annotations

from collections.abc import Iterable

from simulator.slack.conversations import Channel, Message, message_json
from simulator.slack.jsontypes import JsonObject
from simulator.slack.webapi.call import ApiError, Call
from simulator.slack.webapi.places import conversation


def history(call: Call) -> JsonObject:
    """The newest first, without replies that stand in threads only."""
    channel = _readable(call)
    shown = [message for message in _public(call, channel) if message.broadcast or not message.is_reply]
    return _page(call, reversed(shown))


def replies(call: Call) -> JsonObject:
    """A thread from its beginning, the message that it hangs on included."""
    channel, ts = _readable(call), call.required("ts")
    thread = [message for message in _public(call, channel) if ts in (message.ts, message.thread_ts)]
    if not thread:
        raise ApiError("thread_not_found")
    return _page(call, thread)


def _readable(call: Call) -> Channel:
    channel = conversation(call, needs="history")
    if call.office.workspace.app.bot_user_id not in channel.members:
        raise ApiError("not_in_channel")
    if not call.office.settings.histories_open:
        raise ApiError("ratelimited")
    return channel


def _public(call: Call, channel: Channel) -> list[Message]:
    said = call.office.workspace.messages[channel.id]
    return sorted((each for each in said if each.only_for is None), key=lambda each: float(each.ts))


def _page(call: Call, messages: Iterable[Message]) -> JsonObject:
    with_metadata = call.flag("include_all_metadata")
    rows = [_shown(message, with_metadata) for message in messages]
    page = call.page([*rows], "messages")
    metadata = page["response_metadata"]
    has_more = isinstance(metadata, dict) and bool(metadata.get("next_cursor"))
    return {**page, "has_more": has_more}


def _shown(message: Message, with_metadata: bool) -> JsonObject:
    shown = message_json(message)
    return shown if with_metadata else {key: value for key, value in shown.items() if key != "metadata"}
