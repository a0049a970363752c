"""What the rest of the house may ask of Slack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from gateways.slack.person import Person

Block: TypeAlias = Mapping[str, object]
View: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that Slack has taken."""

    channel: str
    ts: str
    text_only: bool = False
    """Slack rejected the blocks, so that the text went out alone."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose token it is (`auth.test`), and what it may do."""

    team_id: str
    bot_user_id: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel as the bot sees it (`conversations.info`)."""

    channel_id: str
    name: str
    bot_is_member: bool
    archived: bool


class Slack(Protocol):
    """A Slack workspace. Calls raise the errors of `gateways.slack.errors`; none is sent twice.

    Blocks that Slack rejects are left out and the text goes alone, so that nothing is silent.
    """

    async def post(
        self,
        channel: str,
        text: str,
        *,
        blocks: Sequence[Block] = (),
        thread_ts: str | None = None,
        dedupe: str,
    ) -> Posted:
        """A message. `dedupe` names it, where people do not see it: `find` looks for that."""
        ...

    async def find(self, channel: str, dedupe: str, *, thread_ts: str | None = None) -> Posted | None:
        """The bot's message of that name, if it is among the latest of the conversation or thread.

        Raises SlackAuth where the bot may not read what was said.
        """
        ...

    async def update(self, channel: str, ts: str, text: str, *, blocks: Sequence[Block] = ()) -> Posted:
        """Writes a message anew."""
        ...

    async def ephemeral(
        self,
        channel: str,
        user: str,
        text: str,
        *,
        blocks: Sequence[Block] = (),
        thread_ts: str | None = None,
    ) -> None:
        """A message for one person's eyes; Slack does not promise to show it."""
        ...

    async def respond(
        self, response_url: str, text: str, *, blocks: Sequence[Block] = (), replace: bool = False
    ) -> None:
        """An answer to a command or a click, for its sender alone: five times within 30 minutes."""
        ...

    async def open_dm(self, user: str) -> str:
        """The id of the conversation with a person."""
        ...

    async def upload(
        self,
        channel: str,
        filename: str,
        content: bytes,
        *,
        comment: str,
        thread_ts: str | None = None,
        alt: str | None = None,
    ) -> None:
        """A file with a comment; `alt` says what a picture shows, for who cannot see it."""
        ...

    async def user(self, user: str) -> Person:
        """Who this is."""
        ...

    async def open_view(self, trigger_id: str, view: View) -> str:
        """Opens a modal, within 3 s of the click; gives its id."""
        ...

    async def update_view(self, view_id: str, view: View, *, hash_seen: str | None = None) -> None:
        """Shows another view in an open modal."""
        ...

    async def publish_home(self, user: str, view: View) -> None:
        """Shows a person's Home tab."""
        ...

    async def channel(self, channel: str) -> Channel:
        """A channel, and whether the bot is in it."""
        ...

    async def who(self) -> Identity:
        """Whose token it is."""
        ...
