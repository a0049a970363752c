"""What Slack makes of typed text before an app sees it."""

from __future__ import annotations

import re

from simulator.slack.workspace import SlackWorkspace

_TOKEN = re.compile(
    r"(?P<mail>[\w.+-]+@[\w-]+\.[\w.-]*\w)"
    r"|(?<![\w/.])@(?P<user>[a-z0-9][a-z0-9._-]*)"
    r"|(?<![\w/.])\#(?P<channel>[a-z0-9][a-z0-9_-]*)"
    r"|(?P<url>https?://[^\s<>|]+)"
    r"|(?<![\w@/.:-])(?P<domain>(?:[a-z0-9-]+\.)+(?:com|org|io|dev|net|ai|co)(?:[/:][^\s<>|]*)?)(?![\w-])"
)


def entities(text: str) -> str:
    """`&`, `<` and `>` as Slack sends them, always."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escaped(workspace: SlackWorkspace, text: str, *, should_escape: bool) -> str:
    """Typed text as an app gets it; with `should_escape` names and addresses become links."""
    text = entities(text)
    if not should_escape:
        return text
    return _TOKEN.sub(lambda found: _linked(workspace, found), text)


def _linked(workspace: SlackWorkspace, found: re.Match[str]) -> str:
    whole = found.group()
    match found.lastgroup:
        case "user":
            user = workspace.user(found.group("user"))
            return f"<@{user.id}|{user.name}>" if user is not None else whole
        case "channel":
            channel = workspace.channel(found.group("channel"))
            return f"<#{channel.id}|{channel.name}>" if channel is not None else whole
        case "mail":
            return f"<mailto:{whole}|{whole}>"
        case "domain":
            return f"<http://{whole}|{whole}>"
        case _:
            return f"<{whole}>"
