"""The people of the workspace, as `users.info` shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from simulator.slack.jsontypes import JsonObject

SLACKBOT = "USLACKBOT"
TEAM_ID = "T0SIMULATED"
OTHER_TEAM_ID = "T0ELSEWHERE"


@dataclass(frozen=True)
class User:
    id: str
    name: str
    real_name: str
    display_name: str = ""
    email: str | None = None
    tz: str = "UTC"
    locale: str = "en-US"
    team_id: str = TEAM_ID
    is_admin: bool = False
    is_owner: bool = False
    is_bot: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    deleted: bool = False
    messageable: bool = True
    bot_id: str | None = None

    @property
    def shown_name(self) -> str:
        """What others read in front of this person's messages."""
        return self.display_name or self.real_name


def default_cast() -> list[User]:
    """One person of every kind that a bot has to tell apart. Slackbot, as in Slack, is no `is_bot`."""
    return [
        User("U0ALICE", "alice", "Alice Ahrens", "alice", "alice@example.com", "Europe/Berlin"),
        User("U0BOB", "bob", "Bob Brown", "bob", "bob@example.com", "America/New_York"),
        User("U0CAROL", "carol", "Carol Chiba", "carol", "carol@example.com", "Asia/Tokyo"),
        User("U0DANA", "dana", "Dana Duarte", "dana", "dana@example.com", is_admin=True),
        User("U0GUS", "gus", "Gus Guest", "gus", "gus@example.com", "Europe/London", is_restricted=True),
        User(
            "U0UMA",
            "uma",
            "Uma Guest",
            "uma",
            "uma@example.com",
            is_restricted=True,
            is_ultra_restricted=True,
        ),
        User("U0DEE", "dee", "Dee Departed", "dee", "dee@example.com", deleted=True),
        User("U0SAM", "sam", "Sam Elsewhere", "sam", team_id=OTHER_TEAM_ID, is_stranger=True),
        User("U0ROBO", "robo", "Robo", "robo", is_bot=True, bot_id="B0ROBO"),
        User(SLACKBOT, "slackbot", "Slackbot", "Slackbot"),
    ]


def user_json(user: User, now: datetime, *, with_email: bool, with_locale: bool = True) -> JsonObject:
    """`user` of users.info; `email` is there only with the scope `users:read.email`."""
    zone = now.astimezone(ZoneInfo(user.tz))
    offset = zone.utcoffset()
    profile: JsonObject = {
        "real_name": user.real_name,
        "real_name_normalized": user.real_name,
        "display_name": user.display_name,
        "display_name_normalized": user.display_name,
        "team": user.team_id,
    }
    if with_email and user.email is not None:
        profile["email"] = user.email
    if user.bot_id is not None:
        profile["bot_id"] = user.bot_id
    shown: JsonObject = {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "deleted": user.deleted,
        "real_name": user.real_name,
        "profile": profile,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": int(now.timestamp()),
    }
    if user.is_stranger:
        shown["is_stranger"] = True
    if not user.deleted:
        shown |= {
            "tz": user.tz,
            "tz_label": zone.tzname() or user.tz,
            "tz_offset": int(offset.total_seconds()) if offset else 0,
            "is_admin": user.is_admin,
            "is_owner": user.is_owner,
            "is_primary_owner": user.is_owner,
            "is_restricted": user.is_restricted,
            "is_ultra_restricted": user.is_ultra_restricted,
            "is_email_confirmed": True,
        }
    if with_locale:
        shown["locale"] = user.locale
    return shown
