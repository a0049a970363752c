"""The payloads that Slack sends for what a person does, in Slack's shapes."""

from __future__ import annotations

from simulator.slack.conversations import Channel, Message, message_json
from simulator.slack.jsontypes import Json, JsonObject
from simulator.slack.office import Office
from simulator.slack.posting import files_of
from simulator.slack.users import User
from simulator.slack.viewstate import View, state_json, view_json


def slash_command(office: Office, user: User, channel: Channel, command: str, text: str) -> JsonObject:
    app = office.workspace.app
    return {
        "token": app.verification_token,
        "team_id": app.team_id,
        "team_domain": "simulated",
        "channel_id": channel.id,
        "channel_name": _channel_name(channel),
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": app.app_id,
        "is_enterprise_install": "false",
        "response_url": office.response_urls.issue(channel.id, user.id),
        "trigger_id": office.triggers.issue(user.id),
    }


def message_action(
    office: Office,
    user: User,
    message: Message,
    action: JsonObject,
    values: dict[str, dict[str, JsonObject]],
) -> JsonObject:
    """block_actions on a message. One on an ephemeral carries no `message`."""
    channel = office.workspace.channels[message.channel]
    container: JsonObject = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.only_for is not None,
    }
    if message.thread_ts is not None:
        container["thread_ts"] = message.thread_ts
    payload = _action(office, user, action, container)
    payload |= {
        "channel": {"id": channel.id, "name": _channel_name(channel)},
        "response_url": office.response_urls.issue(channel.id, user.id, message.ts, message.thread_ts),
        "state": state_json(values),
    }
    if message.only_for is None:
        payload["message"] = message_json(message, files=files_of(office, message))
    return payload


def view_action(office: Office, user: User, view: View, action: JsonObject) -> JsonObject:
    """block_actions in a modal or Home: no channel, no message, no response_url."""
    container: JsonObject = {"type": "view", "view_id": view.id}
    return _action(office, user, action, container, view.id) | {"view": shown_view(office, view)}


def bare_action(office: Office, user: User, action: JsonObject) -> JsonObject:
    """A forged block_actions that belongs to nothing."""
    return _action(office, user, action, {})


def view_submission(office: Office, user: User, view: View) -> JsonObject:
    return _person(office, user) | {
        "type": "view_submission",
        "trigger_id": office.triggers.issue(user.id, view.id),
        "view": shown_view(office, view),
        "response_urls": [],
    }


def view_closed(office: Office, user: User, view: View, *, cleared: bool) -> JsonObject:
    return _person(office, user) | {
        "type": "view_closed",
        "view": shown_view(office, view),
        "is_cleared": cleared,
    }


def _action(
    office: Office, user: User, action: JsonObject, container: JsonObject, view_id: str | None = None
) -> JsonObject:
    now = f"{office.workspace.now().timestamp():.6f}"
    return _person(office, user) | {
        "type": "block_actions",
        "container": container,
        "trigger_id": office.triggers.issue(user.id, view_id),
        "actions": [action | {"action_ts": now}],
    }


def _person(office: Office, user: User) -> JsonObject:
    app = office.workspace.app
    nothing: Json = None
    return {
        "token": app.verification_token,
        "api_app_id": app.app_id,
        "team": {"id": app.team_id, "domain": "simulated"},
        "enterprise": nothing,
        "is_enterprise_install": False,
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id},
    }


def shown_view(office: Office, view: View) -> JsonObject:
    """A view as payloads and events carry it."""
    app = office.workspace.app
    return view_json(view, team_id=app.team_id, app_id=app.app_id, bot_id=app.bot_id)


def _channel_name(channel: Channel) -> str:
    match channel.kind:
        case "im":
            return "directmessage"
        case "private":
            return "privategroup"
        case _:
            return channel.name
