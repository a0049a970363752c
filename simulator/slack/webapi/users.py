"""users.*: people as the app may see them."""

from __future__ import annotations

from simulator.slack.jsontypes import JsonObject
from simulator.slack.users import User, user_json
from simulator.slack.webapi.call import ApiError, Call


def info(call: Call) -> JsonObject:
    user = call.office.workspace.users.get(call.required("user"))
    if user is None:
        raise ApiError("user_not_found")
    if not user.messageable:
        raise ApiError("user_not_visible")
    return {"user": _shown(call, user)}


def list_(call: Call) -> JsonObject:
    users = [user for user in call.office.workspace.users.values() if user.messageable]
    return call.page([_shown(call, user) for user in users], "members") | {
        "cache_ts": int(call.office.workspace.now().timestamp())
    }


def lookup_by_email(call: Call) -> JsonObject:
    """Finds active people only: a deactivated person's address is not found."""
    email = call.required("email").lower()
    for user in call.office.workspace.users.values():
        if user.email is not None and user.email.lower() == email and not user.deleted and user.messageable:
            return {"user": _shown(call, user)}
    raise ApiError("users_not_found")


def _shown(call: Call, user: User) -> JsonObject:
    workspace = call.office.workspace
    with_email = "users:read.email" in workspace.manifest.scopes
    with_locale = call.flag("include_locale")
    return user_json(user, workspace.now(), with_email=with_email, with_locale=with_locale)
