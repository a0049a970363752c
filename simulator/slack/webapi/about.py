"""Who am I, where am I, is this valid."""

from __future__ import annotations

from simulator.slack.blockkit.rules import Problem
from simulator.slack.blockkit.surfaces import message_problems, view_problems
from simulator.slack.jsontypes import JsonObject
from simulator.slack.webapi.call import ApiError, Call


def auth_test(call: Call) -> JsonObject:
    workspace = call.office.workspace
    app = workspace.app
    return {
        "url": "https://simulated.slack.example/",
        "team": "Simulated",
        "user": workspace.users[app.bot_user_id].name,
        "team_id": app.team_id,
        "user_id": app.bot_user_id,
        "bot_id": app.bot_id,
        "is_enterprise_install": False,
    }


def api_test(call: Call) -> JsonObject:
    if call.text("error"):
        raise ApiError(call.text("error"))
    return {"args": {key: value for key, value in call.args.items() if key != "token"}}


def team_info(call: Call) -> JsonObject:
    app = call.office.workspace.app
    return {"team": {"id": app.team_id, "name": "Simulated", "domain": "simulated"}}


def bots_info(call: Call) -> JsonObject:
    workspace = call.office.workspace
    wanted = call.text("bot") or workspace.app.bot_id
    for user in workspace.users.values():
        if user.bot_id == wanted:
            mine = user.bot_id == workspace.app.bot_id
            return {
                "bot": {
                    "id": wanted,
                    "deleted": user.deleted,
                    "name": user.real_name,
                    "user_id": user.id,
                    "app_id": workspace.app.app_id if mine else f"A{wanted[1:]}",
                }
            }
    raise ApiError("bot_not_found")


def blocks_validate(call: Call) -> JsonObject:
    """blocks.validate: the same judgement, without sending."""
    try:
        view, blocks, message = call.json("view"), call.json("blocks"), call.json("message")
    except ValueError:
        raise ApiError("invalid_arguments") from None
    if isinstance(message, dict):
        blocks = message.get("blocks")
    problems = view_problems(view) if view is not None else message_problems(blocks)
    if not problems:
        return {}
    raise ApiError("invalid_blocks", errors=[_error(problem) for problem in problems])


def _error(problem: Problem) -> JsonObject:
    return {"pointer": problem.pointer, "code": "failed_constraint", "message": problem.message}
