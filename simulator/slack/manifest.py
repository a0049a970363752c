"""What an app's manifest allows it, read from the parsed `manifest.yml`."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.slack.jsontypes import Json, JsonObject, object_at, objects_at, text_at, texts_at, true_at

ALL_SCOPES = (
    "app_mentions:read",
    "channels:history",
    "channels:join",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:read",
    "team:read",
    "users:read",
    "users:read.email",
)
ALL_EVENTS = (
    "app_home_opened",
    "app_mention",
    "channel_archive",
    "channel_left",
    "group_left",
    "member_joined_channel",
    "member_left_channel",
    "message.im",
)


@dataclass(frozen=True)
class SlashCommand:
    command: str
    should_escape: bool = True
    url: str | None = None


@dataclass(frozen=True)
class Manifest:
    """Defaults allow everything this simulator offers."""

    name: str = "Podkeeper"
    scopes: tuple[str, ...] = ALL_SCOPES
    bot_events: tuple[str, ...] = ALL_EVENTS
    commands: tuple[SlashCommand, ...] = (SlashCommand("/pod"),)
    home_tab: bool = True
    messages_tab: bool = True
    messages_tab_read_only: bool = False
    interactivity: bool = True
    socket_mode: bool = True

    @classmethod
    def parse(cls, document: Json) -> Manifest:
        """Reads a manifest: what it leaves out is off. Raises `ValueError` if it is no mapping."""
        if not isinstance(document, dict):
            raise ValueError("a Slack manifest is a mapping with `features`, `oauth_config` and `settings`")
        features, settings = object_at(document, "features"), object_at(document, "settings")
        home = object_at(features, "app_home")
        bot_user, display = object_at(features, "bot_user"), object_at(document, "display_information")
        return cls(
            name=text_at(bot_user, "display_name") or text_at(display, "name", "App"),
            scopes=tuple(texts_at(object_at(object_at(document, "oauth_config"), "scopes"), "bot")),
            bot_events=tuple(texts_at(object_at(settings, "event_subscriptions"), "bot_events")),
            commands=tuple(_command(entry) for entry in objects_at(features, "slash_commands")),
            home_tab=true_at(home, "home_tab_enabled"),
            messages_tab=true_at(home, "messages_tab_enabled"),
            messages_tab_read_only=true_at(home, "messages_tab_read_only_enabled"),
            interactivity=true_at(object_at(settings, "interactivity"), "is_enabled"),
            socket_mode=true_at(settings, "socket_mode_enabled"),
        )

    def command(self, name: str) -> SlashCommand | None:
        return next((entry for entry in self.commands if entry.command == name), None)


def _command(entry: JsonObject) -> SlashCommand:
    return SlashCommand(
        text_at(entry, "command"), true_at(entry, "should_escape"), text_at(entry, "url") or None
    )
