"""The kinds of rule that a Block Kit schema is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Str:
    max: int | None = None
    min: int = 0


@dataclass(frozen=True)
class Text:
    """A text object. `plain_only` where Slack takes no mrkdwn."""

    max: int
    min: int = 1
    plain_only: bool = False


@dataclass(frozen=True)
class Flag:
    pass


@dataclass(frozen=True)
class Whole:
    min: int | None = None
    max: int | None = None


@dataclass(frozen=True)
class OneOf:
    values: tuple[str, ...]


@dataclass(frozen=True)
class Items:
    item: Rule
    max: int | None = None
    min: int = 0


@dataclass(frozen=True)
class Fields:
    """An object with these keys and no others."""

    fields: Mapping[str, Rule]
    required: tuple[str, ...] = ()


@dataclass(frozen=True)
class ByType:
    """An object whose `type` says which rule holds."""

    kinds: Mapping[str, Fields]


@dataclass(frozen=True)
class Free:
    """An object whose inside is not checked."""


Rule: TypeAlias = Str | Text | Flag | Whole | OneOf | Items | Fields | ByType | Free


@dataclass(frozen=True)
class Problem:
    """One of Slack's sentences and the place it points to."""

    message: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.message} [json-pointer:{self.pointer}]"
