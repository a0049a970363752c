"""views.*: modals and App Homes."""

from __future__ import annotations

import json

from simulator.slack.blockkit.surfaces import view_problems, with_ids
from simulator.slack.jsontypes import JsonObject, copy, objects_at, text_at
from simulator.slack.limits import MODAL_STACK_MAX, VIEW_BYTES_MAX
from simulator.slack.tickets import Trigger
from simulator.slack.viewstate import View, initial_values, kept_values, view_json
from simulator.slack.webapi.call import ApiError, Call, refuse_blocks
from simulator.slack.workspace import SlackWorkspace


def open_(call: Call) -> JsonObject:
    body = _body(call, "modal")
    trigger = _trigger(call)
    workspace = call.office.workspace
    view = new_view(workspace, trigger.user, body)
    workspace.modals[trigger.user] = [view]
    return _answer(call, view)


def push(call: Call) -> JsonObject:
    body = _body(call, "modal")
    trigger = _trigger(call)
    stack = call.office.workspace.modals.get(trigger.user, [])
    if not stack:
        raise ApiError("not_found")
    if len(stack) >= MODAL_STACK_MAX:
        raise ApiError("push_limit_reached")
    view = push_view(call.office.workspace, trigger.user, body)
    return _answer(call, view)


def update(call: Call) -> JsonObject:
    view = _find(call)
    wanted = call.text("hash")
    if wanted and wanted != view.hash:
        raise ApiError("hash_conflict")
    replace_body(call.office.workspace, view, _body(call, view.kind))
    return _answer(call, view)


def publish(call: Call) -> JsonObject:
    workspace = call.office.workspace
    user = workspace.users.get(call.required("user_id"))
    if user is None or user.deleted:
        raise ApiError("invalid_arguments", response_metadata={"messages": ["[ERROR] invalid `user_id`"]})
    if not workspace.manifest.home_tab:
        raise ApiError("not_enabled")
    body = _body(call, "home")
    old, wanted = workspace.homes.get(user.id), call.text("hash")
    if wanted and (old is None or old.hash != wanted):
        raise ApiError("hash_conflict")
    if old is None:
        workspace.homes[user.id] = new_view(workspace, user.id, body)
    else:
        replace_body(workspace, old, body)
    return _answer(call, workspace.homes[user.id])


def new_view(workspace: SlackWorkspace, user: str, body: JsonObject) -> View:
    ident = workspace.new_id("V")
    body = _with_ids(workspace, body)
    view = View(ident, user, body, _hash(workspace), ident, values=initial_values(objects_at(body, "blocks")))
    workspace.changes.happened()
    return view


def push_view(workspace: SlackWorkspace, user: str, body: JsonObject) -> View:
    """Puts a view on top of those that are open."""
    stack = workspace.modals.setdefault(user, [])
    view = new_view(workspace, user, body)
    if stack:
        view.previous_id, view.root_id = stack[-1].id, stack[0].id
    stack.append(view)
    workspace.changes.happened()
    return view


def replace_body(workspace: SlackWorkspace, view: View, body: JsonObject) -> None:
    """Shows other content in the same view; what was filled in stays where the ids stay."""
    view.body = _with_ids(workspace, body)
    view.values = kept_values(view.values, view.blocks)
    view.hash = _hash(workspace)
    view.errors = {}
    workspace.changes.happened()


def refused(body: JsonObject) -> list[str]:
    """Slack's sentences on a view; none if it takes it."""
    return [str(problem) for problem in view_problems(body)]


def _with_ids(workspace: SlackWorkspace, body: JsonObject) -> JsonObject:
    filled = copy(body)
    filled["blocks"] = list(with_ids(objects_at(filled, "blocks"), lambda: workspace.new_id("b")))
    return filled


def _body(call: Call, kind: str) -> JsonObject:
    try:
        view = call.json("view")
    except ValueError:
        raise ApiError(
            "invalid_arguments", response_metadata={"messages": ["[ERROR] invalid JSON"]}
        ) from None
    if not isinstance(view, dict):
        raise ApiError(
            "invalid_arguments", response_metadata={"messages": ["[ERROR] missing required field: view"]}
        )
    if len(json.dumps(view)) > VIEW_BYTES_MAX:
        raise ApiError("view_too_large")
    sentences = refused(view)
    if not sentences and view.get("type") != kind:
        sentences = ["must be a valid enum value [json-pointer:/view/type]"]
    if sentences:
        raise refuse_blocks("invalid_arguments", sentences)
    return view


def _trigger(call: Call) -> Trigger:
    trigger = call.office.triggers.use(call.required("trigger_id"))
    if isinstance(trigger, str):
        raise ApiError(trigger)
    return trigger


def _find(call: Call) -> View:
    workspace = call.office.workspace
    ident, external = call.text("view_id"), call.text("external_id")
    every = [view for stack in workspace.modals.values() for view in stack] + list(workspace.homes.values())
    for view in every:
        if (ident and view.id == ident) or (external and text_at(view.body, "external_id") == external):
            return view
    raise ApiError("not_found")


def _hash(workspace: SlackWorkspace) -> str:
    return f"{int(workspace.now().timestamp())}.{workspace.number('hash'):08x}"


def _answer(call: Call, view: View) -> JsonObject:
    app = call.office.workspace.app
    return {"view": view_json(view, team_id=app.team_id, app_id=app.app_id, bot_id=app.bot_id)}
