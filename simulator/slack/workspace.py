"""The workspace itself: people, channels, messages, files. It knows nothing of HTTP."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from simulator.clock import Clock
from simulator.slack.changes import Changes
from simulator.slack.conversations import Channel, Message, StoredFile
from simulator.slack.jsontypes import JsonObject
from simulator.slack.manifest import Manifest
from simulator.slack.users import SLACKBOT, TEAM_ID, User, default_cast
from simulator.slack.viewstate import View


@dataclass(frozen=True)
class App:
    """The app under test, as installed here."""

    name: str
    app_id: str = "A0SIMULATED"
    bot_id: str = "B0SIMULATED"
    bot_user_id: str = "U0BOT"
    team_id: str = TEAM_ID
    verification_token: str = "simulated-verification-token"


@dataclass(frozen=True)
class Trouble:
    """What a person saw go wrong: the triangle beside a button, or a line in a modal."""

    what: str
    error: str


class SlackWorkspace:
    def __init__(self, clock: Clock, manifest: Manifest) -> None:
        self.clock = clock
        self.manifest = manifest
        self.changes = Changes()
        self.app = App(manifest.name)
        bot = User(
            self.app.bot_user_id, manifest.name.lower(), manifest.name, is_bot=True, bot_id=self.app.bot_id
        )
        self.users: dict[str, User] = {user.id: user for user in [*default_cast(), bot]}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, list[Message]] = {}
        self.files: dict[str, StoredFile] = {}
        self.homes: dict[str, View] = {}
        self.modals: dict[str, list[View]] = {}
        self.warnings: dict[str, list[Trouble]] = {}
        self.choices: dict[tuple[str, str, str], dict[str, dict[str, JsonObject]]] = {}
        self.deactivated_dm = "user_disabled"
        self._last_micros = 0
        self._numbers: dict[str, int] = {}

    def number(self, series: str) -> int:
        """1, 2, 3, … in each series: ids are the same in every run."""
        self._numbers[series] = self._numbers.get(series, 0) + 1
        return self._numbers[series]

    def new_id(self, prefix: str) -> str:
        return f"{prefix}{self.number(prefix):08d}"

    def next_ts(self) -> str:
        """A message's ts: the clock's time, but always later than the last one."""
        now = self.clock.now().astimezone(UTC)
        micros = int(now.timestamp()) * 1_000_000 + now.microsecond
        self._last_micros = max(self._last_micros + 1, micros)
        return f"{self._last_micros // 1_000_000}.{self._last_micros % 1_000_000:06d}"

    def now(self) -> datetime:
        return self.clock.now()

    # People

    def user(self, name_or_id: str) -> User | None:
        by_id = self.users.get(name_or_id)
        return by_id or next((user for user in self.users.values() if user.name == name_or_id), None)

    def change(self, user_id: str, **fields: str | bool | None) -> User:
        """Changes a person; raises `KeyError` for an unknown id, `TypeError` for an unknown field."""
        self.users[user_id] = replace(self.users[user_id], **fields)  # type: ignore[arg-type]
        self.changes.happened()
        return self.users[user_id]

    def deactivate(self, user_id: str) -> None:
        self.change(user_id, deleted=True)

    def reactivate(self, user_id: str) -> None:
        self.change(user_id, deleted=False)

    def allow_messages(self, user_id: str, allowed: bool) -> None:
        """Whether the bot can see and message this person at all."""
        self.change(user_id, messageable=allowed)

    # Channels

    def channel(self, name_or_id: str) -> Channel | None:
        name = name_or_id.removeprefix("#")
        found = self.channels.get(name_or_id)
        return found or next((each for each in self.channels.values() if each.name == name), None)

    def add_channel(
        self, name: str, *, private: bool = False, members: list[str] | None = None, bot: bool = True
    ) -> Channel:
        """Adds a channel with these people (ids or names)."""
        found = [self.user(member) for member in members or []]
        ids = [user.id for user in found if user is not None]
        name = name.removeprefix("#")
        channel = Channel(
            f"C0{name.replace('-', '').upper()}",
            name,
            "private" if private else "public",
            [*ids, *([self.app.bot_user_id] if bot else [])],
            created=int(self.now().timestamp()),
        )
        self.channels[channel.id] = channel
        self.messages[channel.id] = []
        self.changes.happened()
        return channel

    def archive(self, name_or_id: str, *, archived: bool = True) -> None:
        """Close a channel, or open it again. Raises KeyError."""
        channel = self.channel(name_or_id)
        if channel is None:
            raise KeyError(name_or_id)
        channel.archived = archived
        self.changes.happened()

    def direct_message(self, one: str, other: str) -> Channel:
        """The direct message of two users; made when it is first wanted."""
        for channel in self.channels.values():
            if channel.kind == "im" and set(channel.members) == {one, other}:
                return channel
        bot = self.app.bot_user_id
        person = other if one == bot else one
        ident = f"D{person[1:]}" if bot in {one, other} else f"D{one[1:]}{other[1:]}"
        channel = Channel(ident, "directmessage", "im", [one, other], created=int(self.now().timestamp()))
        self.channels[ident] = channel
        self.messages[ident] = []
        return channel

    # Messages

    def post(self, message: Message) -> Message:
        self.messages[message.channel].append(message)
        self.changes.happened()
        return message

    def find(self, channel: str, ts: str) -> Message | None:
        return next((each for each in self.messages.get(channel, []) if each.ts == ts), None)

    def put(self, message: Message) -> Message:
        """Puts a changed message in the place of the one with its ts."""
        row = self.messages[message.channel]
        row[:] = [message if each.ts == message.ts else each for each in row]
        self.changes.happened()
        return message

    def remove(self, channel: str, ts: str) -> None:
        row = self.messages[channel]
        row[:] = [each for each in row if each.ts != ts]
        self.changes.happened()

    def visible(self, user: str, channel: str) -> list[Message]:
        """What one person sees in a channel, oldest first; nothing if they are not in it."""
        if user not in self.channels[channel].members:
            return []
        return [each for each in self.messages[channel] if each.only_for in {None, user}]

    def warn(self, user: str, what: str, error: str) -> None:
        self.warnings.setdefault(user, []).append(Trouble(what, error))
        self.changes.happened()

    def file_json(self, file: StoredFile) -> JsonObject:
        return {
            "id": file.id,
            "name": file.name,
            "title": file.title,
            "mimetype": file.mimetype,
            "size": file.size,
            "user": self.app.bot_user_id,
            "channels": list(file.channels),
            "alt_txt": file.alt_text,
            "created": int(self.now().timestamp()),
        }


def furnish(workspace: SlackWorkspace) -> None:
    """The channels that every simulated workspace starts with."""
    apart = {workspace.app.bot_user_id, SLACKBOT}
    everyone = [
        user.id
        for user in workspace.users.values()
        if not user.deleted and not user.is_stranger and user.id not in apart
    ]
    workspace.add_channel("general", members=everyone)
    workspace.add_channel("gpu-ops", members=["alice", "bob", "carol", "dana"])
    workspace.add_channel("random", members=["alice", "bob", "carol", "dana"], bot=False)
    workspace.add_channel("secret", private=True, members=["bob", "dana"], bot=False)
    workspace.add_channel("ops-private", private=True, members=["bob", "dana"])
    workspace.add_channel("shared", members=["alice", "sam"]).shared = True
    workspace.add_channel("old", members=["alice", "bob"]).archived = True
    for user in workspace.users.values():
        if user.id not in apart and not user.is_bot:
            workspace.direct_message(user.id, workspace.app.bot_user_id)
