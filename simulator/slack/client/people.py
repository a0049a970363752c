"""The cast by name."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.slack.client.eyes import Eyes
from simulator.slack.client.person import Person
from simulator.slack.interactions import Interactions
from simulator.slack.users import User


@dataclass(frozen=True)
class People:
    """`people.alice`, `people["alice"]`, and whoever is added."""

    hands: Interactions

    def __getitem__(self, name: str) -> Person:
        """A person by name or id; raises `KeyError`."""
        workspace = self.hands.office.workspace
        user = workspace.user(name)
        if user is None:
            raise KeyError(name)
        return Person(self.hands, Eyes(workspace, user.id))

    def add(
        self, name: str, *, channels: tuple[str, ...] = ("general",), **fields: str | bool | None
    ) -> Person:
        """Adds a person with fields of `User`; raises `ValueError` if the name is taken."""
        workspace = self.hands.office.workspace
        if workspace.user(name) is not None:
            raise ValueError(f"there is a {name!r} already")
        ident = f"U0{name.upper()}"
        workspace.users[ident] = User(ident, name, name.capitalize(), name)
        workspace.change(ident, **fields)
        for channel in channels:
            found = workspace.channel(channel)
            if found is not None:
                found.members.append(ident)
        workspace.direct_message(ident, workspace.app.bot_user_id)
        return self[name]

    @property
    def alice(self) -> Person:
        return self["alice"]

    @property
    def bob(self) -> Person:
        return self["bob"]

    @property
    def carol(self) -> Person:
        return self["carol"]

    @property
    def dana(self) -> Person:
        return self["dana"]

    @property
    def gus(self) -> Person:
        return self["gus"]

    @property
    def uma(self) -> Person:
        return self["uma"]

    @property
    def dee(self) -> Person:
        return self["dee"]

    @property
    def sam(self) -> Person:
        return self["sam"]

    @property
    def robo(self) -> Person:
        return self["robo"]
