"""conversations.*: channels and who is in them."""

from __future__ import annotations

from simulator.slack.conversations import Channel, channel_json
from simulator.slack.jsontypes import JsonObject
from simulator.slack.membership import join as join_channel
from simulator.slack.webapi.call import ApiError, Call
from simulator.slack.webapi.places import conversation

_KINDS = {"public_channel": "public", "private_channel": "private", "im": "im", "mpim": "mpim"}
_SCOPES = {"public": "channels:read", "private": "groups:read", "im": "im:read", "mpim": "mpim:read"}


def open_(call: Call) -> JsonObject:
    workspace = call.office.workspace
    bot = workspace.app.bot_user_id
    ids = [part.strip() for part in call.text("users").split(",") if part.strip()]
    given = workspace.channels.get(call.text("channel"))
    if given is not None and given.kind == "im" and bot in given.members:
        ids = [given.other(bot)]
    if not ids:
        raise ApiError("users_list_not_supplied")
    if len(ids) > 1:
        raise ApiError("not_enough_users")
    user = workspace.users.get(ids[0])
    if user is None:
        raise ApiError("user_not_found")
    if not user.messageable:
        raise ApiError("user_not_visible")
    if user.deleted and workspace.deactivated_dm != "ok":
        raise ApiError(workspace.deactivated_dm)
    if user.is_bot:
        raise ApiError("cannot_dm_bot")
    channel = workspace.direct_message(bot, user.id)
    return {"no_op": True, "already_open": True, "channel": {"id": channel.id}}


def info(call: Call) -> JsonObject:
    channel = conversation(call)
    shown = _shown(call, channel)
    if call.flag("include_num_members"):
        shown["num_members"] = len(channel.members)
    return {"channel": shown}


def members(call: Call) -> JsonObject:
    return call.page(conversation(call).members, "members")


def list_(call: Call) -> JsonObject:
    bot = call.office.workspace.app.bot_user_id
    channels = [
        channel
        for channel in _of_types(call)
        if (channel.kind == "public" or bot in channel.members)
        and not (call.flag("exclude_archived") and channel.archived)
    ]
    return call.page([_shown(call, channel) for channel in channels], "channels")


def of_user(call: Call) -> JsonObject:
    """users.conversations: where a person, by default the app itself, is a member."""
    user = call.text("user") or call.office.workspace.app.bot_user_id
    bot = call.office.workspace.app.bot_user_id
    channels = [
        channel
        for channel in _of_types(call)
        if user in channel.members
        and (channel.kind == "public" or bot in channel.members)
        and not (call.flag("exclude_archived") and channel.archived)
    ]
    return call.page([_shown(call, channel) for channel in channels], "channels")


def join(call: Call) -> JsonObject:
    channel = call.office.workspace.channels.get(call.required("channel"))
    if channel is None:
        raise ApiError("channel_not_found")
    if channel.kind != "public":
        raise ApiError("method_not_supported_for_channel_type")
    if channel.archived:
        raise ApiError("is_archived")
    join_channel(call.office, channel, call.office.workspace.app.bot_user_id)
    return {"channel": _shown(call, channel)}


def _of_types(call: Call) -> list[Channel]:
    kinds = []
    for name in (call.text("types") or "public_channel").split(","):
        kind = _KINDS.get(name.strip())
        if kind is None:
            raise ApiError("invalid_types")
        call.need_scope(_SCOPES[kind])
        kinds.append(kind)
    return [channel for channel in call.office.workspace.channels.values() if channel.kind in kinds]


def _shown(call: Call, channel: Channel) -> JsonObject:
    bot = call.office.workspace.app.bot_user_id
    return channel_json(channel, member=bot in channel.members, viewer=bot)
