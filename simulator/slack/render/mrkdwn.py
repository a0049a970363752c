"""Slack's text markup as a person reads it: names, dates in the reader's zone, entities undone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from simulator.slack.users import User
from simulator.slack.workspace import SlackWorkspace

_TAG = re.compile(r"<([^<>]+)>")
_DATE_TOKEN = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Reader:
    """Who reads, and when."""

    workspace: SlackWorkspace
    user: User

    def plain(self, text: str) -> str:
        """mrkdwn as read by this person; emphasis marks stay as they are typed."""
        return unescaped(_TAG.sub(lambda found: self._tag(found.group(1)), text))

    def _tag(self, inside: str) -> str:
        target, _, label = inside.partition("|")
        match target[:1]:
            case "@":
                user = self.workspace.users.get(target[1:])
                return f"@{user.shown_name if user else label or target[1:]}"
            case "#":
                channel = self.workspace.channels.get(target[1:])
                return f"#{channel.name if channel else label or target[1:]}"
            case "!":
                return self._special(target[1:], label)
            case _:
                return f"{label} <{target}>" if label and label != target else target

    def _special(self, target: str, label: str) -> str:
        if target.startswith("date^"):
            return self._date(target, label)
        name, _, ident = target.partition("^")
        return label or f"@{ident or name}"

    def _date(self, target: str, fallback: str) -> str:
        parts = target.split("^")
        try:
            at = datetime.fromtimestamp(int(parts[1]), UTC).astimezone(ZoneInfo(self.user.tz))
        except (ValueError, IndexError, OverflowError):
            return fallback
        shown = parts[2] if len(parts) > 2 else ""
        now = self.workspace.now().astimezone(at.tzinfo)
        return _DATE_TOKEN.sub(lambda token: _date_part(token.group(1), at, now) or token.group(), shown)


def unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _date_part(token: str, at: datetime, now: datetime) -> str | None:
    """One token of `<!date^…>` (docs.slack.dev/messaging/formatting-message-text)."""
    clock = at.strftime("%I:%M").lstrip("0")
    match token:
        case "date_num":
            return at.strftime("%Y-%m-%d")
        case "date":
            return f"{at:%B} {_ordinal(at.day)}, {at.year}"
        case "date_short":
            return f"{at:%b} {at.day}, {at.year}"
        case "date_long":
            return f"{at:%A}, {at:%B} {_ordinal(at.day)}, {at.year}"
        case "date_pretty" | "date_short_pretty" | "date_long_pretty":
            near = {0: "today", -1: "yesterday", 1: "tomorrow"}.get((at.date() - now.date()).days)
            return near or _date_part(token.removesuffix("_pretty"), at, now)
        case "time":
            return f"{clock} {at:%p}"
        case "time_secs":
            return f"{clock}:{at:%S} {at:%p}"
        case "ago":
            return _ago(now - at)
        case _:
            return None


def _ordinal(day: int) -> str:
    suffix = "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def _ago(since: timedelta) -> str:
    seconds = abs(since.total_seconds())
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            n = int(seconds // size)
            amount = f"{n} {unit}{'s' if n > 1 else ''}"
            return f"{amount} ago" if since >= timedelta(0) else f"in {amount}"
    return "just now"
