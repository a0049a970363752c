"""A person of the simulated workspace, for tests and the demo's terminal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from simulator.slack.client.choices import (
    Entry,
    button_action,
    choice_action,
    field_names,
    goes_on,
    incomplete,
    keep,
    state_of,
)
from simulator.slack.client.eyes import Eyes, Found, is_button, is_choice
from simulator.slack.client.handles import Outcome, SeenMessage, SeenView, seen_message
from simulator.slack.delivery.dispatch import Acknowledgement
from simulator.slack.interactions import Done, Interactions
from simulator.slack.jsontypes import JsonObject, object_at, text_at
from simulator.slack.membership import join, leave
from simulator.slack.users import User
from simulator.slack.viewstate import View
from simulator.slack.workspace import Trouble

PATIENCE = 50.0
"""So long a person looks for something that is not there yet; a busy machine takes its time."""


@dataclass(frozen=True)
class Person:
    hands: Interactions
    eyes: Eyes
    place: str = "#general"

    @property
    def user(self) -> User:
        return self.eyes.user

    @property
    def id(self) -> str:
        return self.eyes.user_id

    @property
    def name(self) -> str:
        return self.user.name

    def in_(self, place: str) -> Person:
        """The same person with another default place."""
        return replace(self, place=place)

    # Acting

    async def types(self, text: str, in_: str | None = None, thread: SeenMessage | None = None) -> Outcome:
        """A slash command if it starts with `/`, else a message.

        Raises `LookupError` for a place they are not in, and for commands in threads: Slack has none there.
        """
        channel = self.eyes.channel(in_ or self.place)
        if self.id not in channel.members or self.user.deleted:
            raise LookupError(f"{self.name} cannot type in {in_ or self.place}")
        if not text.startswith("/"):
            return await self._act(
                lambda: self.hands.message(self.user, channel, text, thread.ts if thread else None)
            )
        if thread is not None:
            raise LookupError("slash commands do not work in threads")
        return await self._act(lambda: self.hands.command(self.user, channel, text))

    async def clicks(
        self,
        label: str,
        on: SeenMessage | str | None = None,
        in_: str | None = None,
        confirm: bool | None = None,
        within: float = PATIENCE,
    ) -> Outcome:
        """Presses the newest visible button of this text or action id, waiting for it if need be."""
        found = await self._element(is_button(label), label, on, in_, within)
        if not goes_on(found.element, label, confirm):
            return await self._act(_nothing)
        return await self._act(lambda: self.hands.press(self.user, found.surface, button_action(found)))

    async def picks(
        self,
        name: str,
        option: Entry,
        on: SeenMessage | str | None = None,
        in_: str | None = None,
        confirm: bool | None = None,
        within: float = PATIENCE,
    ) -> Outcome:
        """Chooses in a select, menu or group. In a form's field nothing is sent until it is submitted."""
        found = await self._element(is_choice(name), name, on, in_, within)
        action = choice_action(self.hands.office.workspace, found, option)
        if not goes_on(found.element, name, confirm):
            return await self._act(_nothing)
        keep(self.eyes, found, option)
        silent = found.block.get("type") == "input" and found.block.get("dispatch_action") is not True
        return await self._act(
            _nothing if silent else lambda: self.hands.press(self.user, found.surface, action)
        )

    def fills(self, values: Mapping[str, Entry]) -> Person:
        """Fills fields of the open modal, by label or block id. Raises `LookupError` for another."""
        modal = self._open_modal()
        for name, value in values.items():
            block = next((each for each in modal.blocks if name in field_names(each)), None)
            if block is None:
                names = ", ".join(text_at(object_at(each, "label"), "text") for each in modal.blocks)
                raise LookupError(f"the form has no field {name!r}; it has: {names}")
            keep(self.eyes, Found(modal, block, object_at(block, "element")), value)
        return self

    async def submits(self) -> Outcome:
        """The modal's submit. What Slack's own client refuses is not sent: `error` is `incomplete`."""
        modal = self._open_modal()
        fields = [block for block in modal.blocks if block.get("type") == "input"]
        complaints = {
            text_at(block, "block_id"): incomplete(block, state_of(modal, block)) for block in fields
        }
        modal.errors = {ident: text for ident, text in complaints.items() if text is not None}
        if modal.errors:
            return await self._act(_incomplete)
        return await self._act(lambda: self.hands.submit(self.user, modal))

    async def dismisses(self) -> Outcome:
        modal = self._open_modal()
        return await self._act(lambda: self.hands.close(self.user, modal))

    async def opens_home(self) -> Outcome:
        return await self._act(lambda: self.hands.open_app(self.user, "home"))

    async def opens_messages(self) -> Outcome:
        return await self._act(lambda: self.hands.open_app(self.user, "messages"))

    async def joins(self, channel: str) -> Outcome:
        return await self.invites(self, channel)

    async def leaves(self, channel: str) -> Outcome:
        return await self.removes(self, channel)

    async def invites(self, who: Person | str, channel: str) -> Outcome:
        """Brings a person, or `"bot"`, into a channel."""
        join(self.hands.office, self.eyes.channel(channel), self._id_of(who), self.id)
        return await self._act(_nothing)

    async def removes(self, who: Person | str, channel: str) -> Outcome:
        """Takes a person, or `"bot"`, out of a channel."""
        leave(self.hands.office, self.eyes.channel(channel), self._id_of(who), self.id)
        return await self._act(_nothing)

    async def sends_action(
        self,
        action_id: str,
        value: str | None = None,
        on: SeenMessage | None = None,
        type: str = "button",  # noqa: A002
        block_id: str | None = None,
    ) -> Outcome:
        """A forged click: no such button needs to be there, and the message need not be visible."""
        action: JsonObject = {"type": type, "action_id": action_id, "block_id": block_id or "forged"}
        if value is not None:
            action["value"] = value
        return await self._act(lambda: self.hands.forge(self.user, action, on.message if on else None))

    async def sends_payload(self, kind: str, payload: JsonObject) -> Acknowledgement:
        """Anything at all, properly delivered and, over HTTP, properly signed."""
        return await self.hands.dispatcher.request(kind, payload)

    # Looking

    async def sees(
        self, text: str, in_: str | None = None, within: float = PATIENCE
    ) -> SeenMessage | SeenView:
        """Waits until something visible contains the text. Raises `AssertionError` with the screen."""
        changes = self.hands.office.workspace.changes
        await changes.wait_for(lambda: self.eyes.find_text(text, in_) is not None, within)
        found = self.eyes.find_text(text, in_)
        if found is None:
            where = in_ or "any place"
            raise AssertionError(f"{self.name} does not see {text!r} in {where}:\n{self.reads(in_)}")
        return found

    async def sees_not(self, text: str, in_: str | None = None) -> None:
        """Lets everything settle; raises `AssertionError` if something visible contains the text."""
        await self._settle()
        found = self.eyes.find_text(text, in_)
        if found is not None:
            raise AssertionError(f"{self.name} sees {text!r}:\n{found.plain}")

    async def sees_button(
        self,
        label: str,
        on: SeenMessage | str | None = None,
        in_: str | None = None,
        within: float = PATIENCE,
    ) -> None:
        await self._element(is_button(label), label, on, in_, within)

    async def sees_no_button(
        self, label: str, on: SeenMessage | str | None = None, in_: str | None = None
    ) -> None:
        await self._settle()
        found = self.eyes.find_element(is_button(label), on, in_)
        if found is not None:
            raise AssertionError(f"{self.name} sees a button {label!r}")

    def reads(self, in_: str | None = None) -> str:
        return self.eyes.reads(in_)

    @property
    def screen(self) -> str:
        return self.eyes.reads()

    def messages(self, in_: str | None = None) -> list[SeenMessage]:
        return self.eyes.messages(in_)

    @property
    def modal(self) -> SeenView | None:
        return self.eyes.modal

    @property
    def home(self) -> SeenView | None:
        return self.eyes.home

    @property
    def warnings(self) -> list[Trouble]:
        return list(self.hands.office.workspace.warnings.get(self.id, []))

    # Inside

    async def _act(self, act: Callable[[], Awaitable[Done]]) -> Outcome:
        before, modal_before = self.eyes.snapshot(), self.modal
        done = await act()
        self.hands.office.workspace.changes.happened()
        await self._settle()
        workspace, modal = self.hands.office.workspace, self.modal
        fresh = [
            seen_message(workspace, message, self.user)
            for key, message in self.eyes.snapshot().items()
            if before.get(key) != message
        ]
        return Outcome(done.error, done.seconds, fresh, modal if modal != modal_before else None)

    async def _settle(self) -> None:
        office = self.hands.office
        await office.workspace.changes.settled(office.settings.quiet, PATIENCE)

    async def _element(
        self,
        fits: Callable[[JsonObject, JsonObject], bool],
        name: str,
        on: SeenMessage | str | None,
        in_: str | None,
        within: float,
    ) -> Found:
        changes = self.hands.office.workspace.changes
        await changes.wait_for(lambda: self.eyes.find_element(fits, on, in_) is not None, within)
        found = self.eyes.find_element(fits, on, in_)
        if found is None:
            raise AssertionError(f"{self.name} sees no {name!r} to press:\n{self.reads(in_)}")
        return found

    def _open_modal(self) -> View:
        modal = self.modal
        if modal is None:
            raise AssertionError(f"no modal is open in front of {self.name}")
        return modal.view

    def _id_of(self, who: Person | str) -> str:
        if isinstance(who, Person):
            return who.id
        workspace = self.hands.office.workspace
        if who == "bot":
            return workspace.app.bot_user_id
        user = workspace.user(who)
        if user is None:
            raise LookupError(f"there is nobody called {who!r}")
        return user.id


async def _nothing() -> Done:
    return Done()


async def _incomplete() -> Done:
    return Done("incomplete")
