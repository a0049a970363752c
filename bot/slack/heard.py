"""What somebody did in Slack, read from Slack's payloads without trusting their shape.

Shapes: Slack's slash commands, `block_actions`, `view_submission`, `view_closed` and Events API.
A click in a modal or Home has no channel and no message; one on an ephemeral message has no message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from storage.columns import JsonObject
from storage.inbox import Incoming


class Answerable(Protocol):
    """Somebody who waits for an answer."""

    @property
    def key(self) -> str:
        """Names what was done, for ever; every effect of it carries this."""
        ...

    @property
    def user(self) -> str: ...

    @property
    def channel(self) -> str | None: ...

    @property
    def response_url(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A slash command; `text` is what was typed after `/pod`, as Slack hands it over."""

    key: str
    at: datetime
    user: str
    channel: str | None
    text: str
    response_url: str | None
    trigger_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """A button that was pressed or an option that was chosen. `value` is the id of one row; of a select it is
    the `block_id`, and `chosen` is the option's value, or the person that was chosen."""

    key: str
    at: datetime
    user: str
    channel: str | None
    action_id: str
    value: str | None
    block_id: str | None
    chosen: str | None
    message_ts: str | None
    thread_ts: str | None
    ephemeral: bool
    response_url: str | None
    trigger_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A form that was sent off. `values`: block id → what was entered; None where nothing was."""

    key: str
    at: datetime
    user: str
    callback_id: str
    values: Mapping[str, str | None]
    private_metadata: str
    trigger_id: str | None
    view_id: str | None
    channel: None = None
    response_url: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """A form that was closed without being sent off."""

    key: str
    at: datetime
    user: str
    callback_id: str
    private_metadata: str
    channel: None = None
    response_url: None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """An event of the workspace; `event` is Slack's own object."""

    key: str
    at: datetime
    user: str
    channel: str | None
    type: str
    event: JsonObject
    response_url: None = None


Heard = Command | Click | Submission | Closing | Happening


def heard(incoming: Incoming) -> Heard | None:
    """What an inbox row tells of. None: nothing that one could act on or answer."""
    body, at, key = incoming.payload, incoming.received_at, incoming.id
    match incoming.kind:
        case "slack.command":
            return _command(body, key, at)
        case "slack.click":
            return _click(body, key, at)
        case "slack.submission":
            return submission(body, key, at)
        case "slack.closing":
            return _closing(body, key, at)
        case "slack.event":
            return _happening(body, key, at)
        case _:
            return None


def text_at(body: object, *path: str) -> str | None:
    """The text at a path of nested objects. None if there is none, or an empty one."""
    for name in path:
        body = body.get(name) if isinstance(body, Mapping) else None
    return body if isinstance(body, str) and body else None


def _command(body: JsonObject, key: str, at: datetime) -> Command | None:
    user = text_at(body, "user_id")
    if user is None:
        return None
    return Command(
        key=key,
        at=at,
        user=user,
        channel=text_at(body, "channel_id"),
        text=text_at(body, "text") or "",
        response_url=text_at(body, "response_url"),
        trigger_id=text_at(body, "trigger_id"),
    )


def _click(body: JsonObject, key: str, at: datetime) -> Click | None:
    user, action = text_at(body, "user", "id"), _first_action(body)
    if user is None or action is None:
        return None
    container = body.get("container")
    return Click(
        key=key,
        at=at,
        user=user,
        channel=text_at(body, "channel", "id") or text_at(container, "channel_id"),
        action_id=text_at(action, "action_id") or "",
        value=text_at(action, "value"),
        block_id=text_at(action, "block_id"),
        chosen=text_at(action, "selected_option", "value") or text_at(action, "selected_user"),
        message_ts=text_at(container, "message_ts"),
        thread_ts=text_at(container, "thread_ts"),
        ephemeral=isinstance(container, Mapping) and container.get("is_ephemeral") is True,
        response_url=text_at(body, "response_url"),
        trigger_id=text_at(body, "trigger_id"),
    )


def _first_action(body: JsonObject) -> JsonObject | None:
    actions = body.get("actions")
    first = actions[0] if isinstance(actions, list) and actions else None
    return first if isinstance(first, dict) else None


def submission(body: JsonObject, key: str, at: datetime) -> Submission | None:
    """The form that was sent off, also before it is taken down: its fields are checked at once."""
    user = text_at(body, "user", "id")
    if user is None:
        return None
    return Submission(
        key=key,
        at=at,
        user=user,
        callback_id=text_at(body, "view", "callback_id") or "",
        values=_values(body),
        private_metadata=text_at(body, "view", "private_metadata") or "",
        trigger_id=text_at(body, "trigger_id"),
        view_id=text_at(body, "view", "id"),
    )


def _values(body: JsonObject) -> dict[str, str | None]:
    found: object = body
    for name in ("view", "state", "values"):
        found = found.get(name) if isinstance(found, Mapping) else None
    blocks = found if isinstance(found, Mapping) else {}
    return {str(block): _entered(actions) for block, actions in blocks.items()}


def _entered(actions: object) -> str | None:
    elements = list(actions.values()) if isinstance(actions, Mapping) else []
    element = elements[0] if elements else None
    return text_at(element, "value") or text_at(element, "selected_option", "value")


def _closing(body: JsonObject, key: str, at: datetime) -> Closing | None:
    user = text_at(body, "user", "id")
    if user is None:
        return None
    callback_id = text_at(body, "view", "callback_id") or ""
    metadata = text_at(body, "view", "private_metadata") or ""
    return Closing(key=key, at=at, user=user, callback_id=callback_id, private_metadata=metadata)


def _happening(body: JsonObject, key: str, at: datetime) -> Happening | None:
    event, kind = body.get("event"), text_at(body, "event", "type")
    if not isinstance(event, dict) or kind is None:
        return None
    return Happening(
        key=key,
        at=at,
        user=text_at(event, "user") or "",
        channel=text_at(event, "channel"),
        type=kind,
        event=event,
    )
