"""The shapes of the tables that say what the bot does: verbs, buttons, forms, events."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.slack.door import Check
from bot.slack.heard import Click, Command, Happening, Submission
from jobs.house import House


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command whose verb is known. `words`: what follows the verb, quotes honoured; `rest`: the same as it
    was typed, on a plain keyboard."""

    command: Command
    words: tuple[str, ...]
    rest: str

    @property
    def key(self) -> str:
        """Names the command for ever; every effect of it carries this."""
        return self.command.key

    @property
    def user(self) -> str:
        return self.command.user

    @property
    def channel(self) -> str | None:
        return self.command.channel

    @property
    def response_url(self) -> str | None:
        return self.command.response_url


Run = Callable[[House, Typed], Awaitable[None]]
Press = Callable[[House, Click], Awaitable[None]]
Submit = Callable[[House, Submission], Awaitable[None]]
Hear = Callable[[House, Happening], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One command: how it is written, what it does, a right example, who may, and the function that does it.

    The function is idempotent and answers privately (`bot.slack.answering.answer`), or raises `Declined`.
    """

    usage: str
    does: str
    example: str
    run: Run
    admins_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A modal: `check` is pure and says what is wrong with which field, `submit` is called once it is taken
    down."""

    check: Check
    submit: Submit


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Everything that the bot understands."""

    verbs: Mapping[str, Verb]
    """The word after `/pod` → what it does. Two words may mean the same verb."""
    clicks: Mapping[str, Press]
    """`action_id` → what it does."""
    forms: Mapping[str, Form]
    """`callback_id` → the form."""
    events: Mapping[str, Hear]
    """Type of an event → what it does."""
