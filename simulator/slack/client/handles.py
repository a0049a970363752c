"""What a person holds in hand after looking: messages, views, outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.slack.conversations import Message
from simulator.slack.jsontypes import JsonObject, object_at, text_at
from simulator.slack.render.blocks import view_lines
from simulator.slack.render.mrkdwn import Reader
from simulator.slack.render.screen import message_plain
from simulator.slack.users import User
from simulator.slack.viewstate import View, elements_of
from simulator.slack.workspace import SlackWorkspace


@dataclass(frozen=True)
class SeenMessage:
    """A message as one person saw it at one moment."""

    message: Message
    plain: str

    @property
    def channel(self) -> str:
        return self.message.channel

    @property
    def ts(self) -> str:
        return self.message.ts

    @property
    def author(self) -> str:
        return self.message.author

    @property
    def text(self) -> str:
        return self.message.text

    @property
    def blocks(self) -> tuple[JsonObject, ...]:
        return self.message.blocks

    @property
    def thread_ts(self) -> str | None:
        return self.message.thread_ts

    @property
    def only_for(self) -> str | None:
        return self.message.only_for

    @property
    def edited(self) -> bool:
        return self.message.edited_ts is not None

    @property
    def files(self) -> tuple[str, ...]:
        return self.message.files

    @property
    def buttons(self) -> list[str]:
        return button_labels(list(self.message.blocks))


@dataclass(frozen=True)
class SeenView:
    """A modal or Home as one person saw it at one moment."""

    view: View
    plain: str

    @property
    def id(self) -> str:
        return self.view.id

    @property
    def callback_id(self) -> str:
        return text_at(self.view.body, "callback_id")

    @property
    def title(self) -> str:
        return text_at(object_at(self.view.body, "title"), "text")

    @property
    def blocks(self) -> list[JsonObject]:
        return self.view.blocks

    @property
    def errors(self) -> dict[str, str]:
        return dict(self.view.errors)

    @property
    def buttons(self) -> list[str]:
        return button_labels(self.view.blocks)


@dataclass(frozen=True)
class Outcome:
    """What an act led to, once all that follows has settled."""

    error: str | None
    ack_seconds: float | None
    messages: list[SeenMessage]
    modal: SeenView | None

    @property
    def acknowledged(self) -> bool:
        return self.error is None

    @property
    def text(self) -> str:
        """All that became newly visible, as plain text."""
        shown = [message.plain for message in self.messages]
        return "\n".join([*shown, *([self.modal.plain] if self.modal is not None else [])])


def seen_message(workspace: SlackWorkspace, message: Message, viewer: User) -> SeenMessage:
    return SeenMessage(message, message_plain(workspace, message, viewer))


def seen_view(workspace: SlackWorkspace, view: View, viewer: User) -> SeenView:
    return SeenView(view, "\n".join(view_lines(view, Reader(workspace, viewer))))


def button_labels(blocks: list[JsonObject]) -> list[str]:
    return [
        text_at(object_at(element, "text"), "text")
        for block in blocks
        for element in elements_of(block)
        if element.get("type") == "button"
    ]
