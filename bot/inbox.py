"""What came in, handed to the function that the tables name for it. Whatever goes wrong is answered."""

from dataclasses import dataclass
from typing import assert_never

import structlog

from bot.help.command import unknown
from bot.home.opening import refresh
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click, Closing, Command, Happening, Heard, Submission, heard
from bot.slack.unseen import turned_away
from bot.table import Tables, Typed
from bot.text import code
from gateways.slack.errors import SlackError
from jobs.house import House
from pods.command_text import plain, words_of
from storage.inbox import Incoming

_log = structlog.get_logger(__name__)

NOT_UNDERSTOOD = (
    "This button is of an older version of me. Nothing was done; `/pod list` shows where things are."
)


@dataclass(frozen=True, slots=True)
class Handling:
    """The handler and the apology that the inbox is given."""

    house: House
    tables: Tables

    async def handle(self, incoming: Incoming) -> None:
        """Do what was asked. A `Declined` is an answer; any other exception is for the inbox."""
        what = heard(incoming)
        if what is None:
            _log.warning(
                "what came in says nothing that can be acted on", key=incoming.id, kind=incoming.kind
            )
            return
        try:
            await self._act(what)
        except Declined as declined:
            await answer(self.house, what, declined.sentence, declined.blocks)

    async def apologise(self, incoming: Incoming, log_id: str) -> None:
        """It failed for good: say so, with the id under which the log has it."""
        what = heard(incoming)
        if what is None or not what.user:
            return
        sentence = f"Something went wrong here, and what you asked for was not done (id {code(log_id)})."
        try:
            await answer(self.house, what, sentence)
        except SlackError as error:
            _log.error("somebody could not be told of a failure", key=log_id, why=error.sentence)

    async def _act(self, what: Heard) -> None:
        match what:
            case Command():
                await self._command(what)
            case Click():
                await self._click(what)
            case Submission():
                if form := self.tables.forms.get(what.callback_id):
                    await form.submit(self.house, what)
            case Happening():
                if hear := self.tables.events.get(what.type):
                    await hear(self.house, what)
            case Closing():
                return
            case _:
                assert_never(what)

    async def _command(self, command: Command) -> None:
        try:
            words = words_of(command.text)
        except ValueError as error:
            raise Declined(f"I cannot read that: {error}.") from error
        name, rest = (words[0], words[1:]) if words else ("help", [])
        verb = self.tables.verbs.get(name.lower())
        if verb is None:
            shown = unknown(name, self.tables.verbs)
            raise Declined(shown.text, shown.blocks)
        if verb.admins_only and command.user not in self.house.admins:
            raise Declined(f"Only admins may use `/pod {verb.usage}`. They are named in PODKEEPER_ADMINS.")
        _, _, behind = plain(command.text).strip().partition(name)
        await verb.run(self.house, Typed(command=command, words=tuple(rest), rest=behind.strip()))

    async def _click(self, click: Click) -> None:
        press = self.tables.clicks.get(click.action_id)
        if press is None:
            _log.warning("nobody knows this button", action_id=click.action_id, key=click.key)
            raise Declined(NOT_UNDERSTOOD)
        if await turned_away(self.house, click):
            return
        await press(self.house, click)
        if click.channel is None:
            await refresh(self.house, click)
