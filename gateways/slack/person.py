"""Who a person is, as far as it decides what they may do. Shape: Slack's `users.info`."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A Slack user. What Slack does not say counts against: only a plain member is `full_member`."""

    user_id: str
    name: str
    """How the person is called, from outside: escape it."""
    zone: str | None
    """IANA time zone."""
    deactivated: bool
    bot: bool
    guest: bool
    stranger: bool
    """Of another workspace."""

    @property
    def full_member(self) -> bool:
        """An active member of this workspace: may rent, own, decide."""
        return not (self.deactivated or self.bot or self.guest or self.stranger)


def read_person(user: Mapping[str, object], *, user_id: str, team_id: str) -> Person:
    """The person that `users.info` describes; `team_id` is the bot's own workspace."""
    profile = user.get("profile")
    profile = profile if isinstance(profile, Mapping) else {}
    names = (profile.get("display_name"), profile.get("real_name"), user.get("real_name"), user.get("name"))
    zone = user.get("tz")
    return Person(
        user_id=user_id,
        name=next((name for name in names if isinstance(name, str) and name.strip()), user_id),
        zone=zone if isinstance(zone, str) and zone else None,
        deactivated=user.get("deleted") is not False,
        bot=user.get("is_bot") is not False or user_id == "USLACKBOT",
        guest=bool(user.get("is_restricted", True)) or bool(user.get("is_ultra_restricted", True)),
        stranger=bool(user.get("is_stranger")) or user.get("team_id") != team_id,
    )
