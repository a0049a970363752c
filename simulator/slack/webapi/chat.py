"""chat.*: messages (docs.slack.dev/reference/methods/chat.postMessage and its family)."""

from __future__ import annotations

from dataclasses import replace

from simulator.slack import posting
from simulator.slack.conversations import Channel, Message, message_json
from simulator.slack.jsontypes import Json, JsonObject
from simulator.slack.limits import UPDATE_TEXT_MAX
from simulator.slack.webapi.call import ApiError, Call, refuse_blocks
from simulator.slack.webapi.places import conversation, postable, posting_place


def post_message(call: Call) -> JsonObject:
    channel = posting_place(call)
    message = replace(
        _content(call, channel), thread_ts=_thread(call, channel), broadcast=call.flag("reply_broadcast")
    )
    posted = posting.post(call.office, message)
    return {"channel": channel.id, "ts": posted.ts, "message": message_json(posted)}


def post_ephemeral(call: Call) -> JsonObject:
    workspace = call.office.workspace
    channel = workspace.channels.get(call.required("channel"))
    user = workspace.users.get(call.required("user"))
    channel = postable(call, channel)
    if user is None or user.id not in channel.members or user.deleted:
        raise ApiError("user_not_in_channel")
    message = replace(_content(call, channel), only_for=user.id, thread_ts=call.text("thread_ts") or None)
    return {"message_ts": posting.post(call.office, message).ts}


def update(call: Call) -> JsonObject:
    old = _own_message(call, "cant_update_message")
    if call.office.workspace.channels[old.channel].archived:
        raise ApiError("is_inactive")
    text = call.text("text")
    if len(text) > UPDATE_TEXT_MAX:
        raise ApiError("msg_too_long")
    blocks = _blocks(call)
    given = "blocks" in call.args
    if not text and not given and "attachments" not in call.args:
        raise ApiError("no_text")
    new = replace(
        old,
        text=text if "text" in call.args else old.text,
        blocks=blocks if given else () if "text" in call.args else old.blocks,
        attachments=tuple(call.json_objects("attachments")),
    )
    edited = posting.edit(call.office, old, new)
    return {"channel": old.channel, "ts": old.ts, "text": edited.text, "message": message_json(edited)}


def delete(call: Call) -> JsonObject:
    message = _own_message(call, "cant_delete_message")
    posting.delete(call.office, message)
    return {"channel": message.channel, "ts": message.ts}


def get_permalink(call: Call) -> JsonObject:
    channel = conversation(call, needs=None)
    ts = call.required("message_ts")
    message = call.office.workspace.find(channel.id, ts)
    if message is None or message.only_for is not None:
        raise ApiError("message_not_found")
    link = f"https://simulated.slack.example/archives/{channel.id}/p{ts.replace('.', '')}"
    if message.is_reply:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def _thread(call: Call, channel: Channel) -> str | None:
    """The thread that a message joins; if it is gone, Slack silently posts into the channel."""
    wanted = call.text("thread_ts")
    first = call.office.workspace.find(channel.id, wanted) if wanted else None
    return (first.thread_ts or first.ts) if first is not None else None


def _own_message(call: Call, not_mine: str) -> Message:
    """The app's own message of `channel` and `ts`. Ephemerals cannot be found by anybody."""
    workspace = call.office.workspace
    channel = workspace.channels.get(call.required("channel"))
    if channel is None or (channel.kind != "public" and workspace.app.bot_user_id not in channel.members):
        raise ApiError("channel_not_found")
    message = workspace.find(channel.id, call.required("ts"))
    if message is None or message.only_for is not None:
        raise ApiError("message_not_found")
    if message.app_id != workspace.app.app_id:
        raise ApiError(not_mine)
    return message


def _blocks(call: Call) -> tuple[JsonObject, ...]:
    try:
        given: Json = call.json("blocks")
        return posting.checked_blocks(call.office, given)
    except posting.RefusedContentError as refusal:
        raise _as_api_error(refusal) from None
    except ValueError:
        raise ApiError("invalid_blocks_format") from None


def _content(call: Call, channel: Channel) -> Message:
    workspace = call.office.workspace
    app = workspace.app
    text, blocks = call.text("text"), _blocks(call)
    attachments = tuple(call.json_objects("attachments"))
    try:
        posting.check_content(text, blocks, attachments)
        metadata = call.json("metadata")
    except posting.RefusedContentError as refusal:
        raise _as_api_error(refusal) from None
    except ValueError:
        raise ApiError("invalid_metadata_format") from None
    return Message(
        workspace.next_ts(),
        channel.id,
        app.bot_user_id,
        text,
        blocks,
        attachments,
        bot_id=app.bot_id,
        app_id=app.app_id,
        metadata=_metadata(metadata),
    )


def _metadata(given: Json) -> JsonObject | None:
    """Docs.slack.dev, message metadata: a type and a payload."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise ApiError("invalid_metadata_format")
    if not isinstance(given.get("event_type"), str) or not isinstance(given.get("event_payload"), dict):
        raise ApiError("invalid_metadata_schema")
    return given


def _as_api_error(refusal: posting.RefusedContentError) -> ApiError:
    return refuse_blocks(refusal.code, refusal.sentences) if refusal.sentences else ApiError(refusal.code)
