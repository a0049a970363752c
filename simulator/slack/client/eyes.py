"""What one person sees where, newest first for clicking, oldest first for reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulator.slack.client.handles import SeenMessage, SeenView, seen_message, seen_view
from simulator.slack.conversations import Channel, Message
from simulator.slack.jsontypes import JsonObject, object_at, objects_at, text_at
from simulator.slack.render.screen import channel_plain, screen
from simulator.slack.users import User
from simulator.slack.viewstate import View, elements_of
from simulator.slack.workspace import SlackWorkspace


@dataclass(frozen=True)
class Found:
    """An element in front of a person."""

    surface: Message | View
    block: JsonObject
    element: JsonObject


@dataclass(frozen=True)
class Eyes:
    workspace: SlackWorkspace
    user_id: str

    @property
    def user(self) -> User:
        return self.workspace.users[self.user_id]

    def channel(self, place: str) -> Channel:
        """`dm` (with the app), `#name` or an id. Raises `LookupError` with what there is."""
        if place == "dm":
            return self.workspace.direct_message(self.user_id, self.workspace.app.bot_user_id)
        found = self.workspace.channel(place)
        if found is None:
            names = ", ".join(
                f"#{each.name}" for each in self.workspace.channels.values() if each.kind != "im"
            )
            raise LookupError(f"there is no place {place!r}; there are dm, home, modal, {names}")
        return found

    def messages(self, place: str | None = None) -> list[SeenMessage]:
        """All visible messages, oldest first."""
        return [self._seen(message) for message in self._visible(place)]

    def _visible(self, place: str | None) -> list[Message]:
        if place in {"home", "modal"}:
            return []
        wanted = None if place is None else self.channel(place).id
        return [each for each in self.snapshot().values() if wanted in {None, each.channel}]

    def _seen(self, message: Message) -> SeenMessage:
        return seen_message(self.workspace, message, self.user)

    def snapshot(self) -> dict[tuple[str, str], Message]:
        """Everything visible now, to compare with later."""
        visible = [
            each for ident in self.workspace.channels for each in self.workspace.visible(self.user_id, ident)
        ]
        visible.sort(key=lambda message: message.ts)
        return {(message.channel, message.ts): message for message in visible}

    @property
    def modal(self) -> SeenView | None:
        stack = self.workspace.modals.get(self.user_id, [])
        return seen_view(self.workspace, stack[-1], self.user) if stack else None

    @property
    def home(self) -> SeenView | None:
        view = self.workspace.homes.get(self.user_id)
        return seen_view(self.workspace, view, self.user) if view is not None else None

    def views(self, place: str | None = None) -> list[SeenView]:
        """The open modal and the Home."""
        modal = [self.modal] if place in {None, "modal"} else []
        home = [self.home] if place in {None, "home"} else []
        return [view for view in [*modal, *home] if view is not None]

    def find_text(self, text: str, place: str | None) -> SeenMessage | SeenView | None:
        """The newest visible thing that contains this text."""
        for view in self.views(place):
            if text in view.plain:
                return view
        messages = map(self._seen, reversed(self._visible(place)))
        return next((message for message in messages if text in message.plain), None)

    def reads(self, place: str | None = None) -> str:
        if place is None:
            return screen(self.workspace, self.user)
        if place in {"home", "modal"}:
            return "\n".join(view.plain for view in self.views(place))
        return channel_plain(self.workspace, self.channel(place), self.user)

    def find_element(
        self, fits: Callable[[JsonObject, JsonObject], bool], on: SeenMessage | str | None, place: str | None
    ) -> Found | None:
        """The first fitting element of the modal, then of the newest message, then of the Home."""
        for surface in self._surfaces(on, place):
            blocks = surface.blocks
            for block in blocks:
                for element in elements_of(block):
                    if fits(block, element):
                        return Found(surface, block, element)
        return None

    def _surfaces(self, on: SeenMessage | str | None, place: str | None) -> list[Message | View]:
        if isinstance(on, SeenMessage):
            current = self.workspace.find(on.channel, on.ts)
            visible = current is not None and current in self.workspace.visible(self.user_id, on.channel)
            return [current] if current is not None and visible else []
        newest = reversed(self._visible(place))
        messages = [each for each in newest if on is None or on in self._seen(each).plain]
        found: list[Message | View] = []
        if self.modal is not None and place in {None, "modal"} and (on is None or on in self.modal.plain):
            found.append(self.modal.view)
        found += messages
        if self.home is not None and place in {None, "home"} and (on is None or on in self.home.plain):
            found.append(self.home.view)
        return found


def is_button(label: str) -> Callable[[JsonObject, JsonObject], bool]:
    """A button of this text or action id."""

    def fits(_: JsonObject, element: JsonObject) -> bool:
        names = {text_at(object_at(element, "text"), "text"), text_at(element, "action_id")}
        return element.get("type") == "button" and label in names

    return fits


def is_choice(name: str) -> Callable[[JsonObject, JsonObject], bool]:
    """A select, menu, radio or checkbox group of this placeholder, label, block id or action id."""

    def fits(block: JsonObject, element: JsonObject) -> bool:
        if element.get("type") in {"button", "plain_text_input"}:
            return False
        names = {
            text_at(object_at(element, "placeholder"), "text"),
            text_at(object_at(block, "label"), "text"),
            text_at(block, "block_id"),
            text_at(element, "action_id"),
            "⋯" if element.get("type") == "overflow" else "",
        }
        return name in names

    return fits


def options_of(element: JsonObject) -> list[JsonObject]:
    grouped = [
        option for group in objects_at(element, "option_groups") for option in objects_at(group, "options")
    ]
    return [*objects_at(element, "options"), *grouped]
