"""Every method that this Slack knows: what answers it, which token it takes and which scope it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from simulator.slack.webapi import about, chat, conversations, files, histories, users, views
from simulator.slack.webapi.call import Handler

Token = Literal["none", "bot"]


@dataclass(frozen=True)
class Method:
    handler: Handler
    scope: str | None = None
    token: Token = "bot"


METHODS: Mapping[str, Method] = {
    "api.test": Method(about.api_test, token="none"),
    "auth.test": Method(about.auth_test),
    "team.info": Method(about.team_info, "team:read"),
    "bots.info": Method(about.bots_info, "users:read"),
    "blocks.validate": Method(about.blocks_validate),
    "chat.postMessage": Method(chat.post_message, "chat:write"),
    "chat.postEphemeral": Method(chat.post_ephemeral, "chat:write"),
    "chat.update": Method(chat.update, "chat:write"),
    "chat.delete": Method(chat.delete, "chat:write"),
    "chat.getPermalink": Method(chat.get_permalink),
    "conversations.open": Method(conversations.open_, "im:write"),
    "conversations.info": Method(conversations.info),
    "conversations.members": Method(conversations.members),
    "conversations.list": Method(conversations.list_),
    "conversations.join": Method(conversations.join, "channels:join"),
    "conversations.history": Method(histories.history),
    "conversations.replies": Method(histories.replies),
    "users.info": Method(users.info, "users:read"),
    "users.list": Method(users.list_, "users:read"),
    "users.lookupByEmail": Method(users.lookup_by_email, "users:read.email"),
    "users.conversations": Method(conversations.of_user),
    "views.open": Method(views.open_),
    "views.push": Method(views.push),
    "views.update": Method(views.update),
    "views.publish": Method(views.publish),
    "files.getUploadURLExternal": Method(files.get_upload_url, "files:write"),
    "files.completeUploadExternal": Method(files.complete_upload, "files:write"),
    "files.info": Method(files.info, "files:read"),
}
