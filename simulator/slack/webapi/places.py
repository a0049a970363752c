"""Which conversation a call means, and whether the app may post there."""

from __future__ import annotations

from simulator.slack.conversations import Channel
from simulator.slack.users import User
from simulator.slack.webapi.call import ApiError, Call

_FAMILIES = {"public": "channels", "private": "groups", "im": "im", "mpim": "mpim"}


def conversation(call: Call, *, needs: str | None = "read") -> Channel:
    """The conversation of the argument `channel` as the app may see it."""
    workspace = call.office.workspace
    channel = workspace.channels.get(call.required("channel"))
    if channel is None:
        raise ApiError("channel_not_found")
    member = workspace.app.bot_user_id in channel.members
    if needs is not None:
        call.need_scope(f"{_FAMILIES[channel.kind]}:{needs}")
    if not member and channel.kind != "public":
        raise ApiError("channel_not_found")
    return channel


def posting_place(call: Call) -> Channel:
    """Where a message goes: a channel's id or name, or a person's id, as the app may post."""
    workspace = call.office.workspace
    target = call.required("channel")
    user = workspace.users.get(target)
    if user is not None:
        return _direct(call, user)
    channel = workspace.channels.get(target)
    if channel is None:
        named = workspace.channel(target)
        channel = named if named is not None and named.kind == "public" else None
    return postable(call, channel)


def postable(call: Call, channel: Channel | None) -> Channel:
    """The same channel if the app may post in it."""
    workspace = call.office.workspace
    bot = workspace.app.bot_user_id
    if channel is None or (channel.kind != "public" and bot not in channel.members):
        raise ApiError("channel_not_found")
    if channel.archived:
        raise ApiError("is_archived")
    if bot not in channel.members and "chat:write.public" not in workspace.manifest.scopes:
        raise ApiError("not_in_channel")
    if channel.kind == "im":
        return _direct(call, workspace.users[channel.other(bot)])
    return channel


def _direct(call: Call, user: User) -> Channel:
    workspace = call.office.workspace
    if not user.messageable:
        raise ApiError("channel_not_found")
    if user.is_bot:
        raise ApiError("cannot_dm_bot")
    if not workspace.manifest.messages_tab:
        raise ApiError("messages_tab_disabled")
    return workspace.direct_message(workspace.app.bot_user_id, user.id)
