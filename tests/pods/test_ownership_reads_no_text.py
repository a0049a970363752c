"""The ownership code cannot read free text: it has no argument for it and no import that would bring it."""

import ast
import dataclasses
import inspect
import types
import typing
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path

import pytest

import pods.ids
import pods.ownership
from pods.ownership import ownership

HOLDS_NO_TEXT = (bool, int, float, datetime, timedelta, type(None))
IDS = {value for value in vars(pods.ids).values() if isinstance(value, typing.NewType)}
ALLOWED_IMPORTS = {"collections.abc", "dataclasses", "datetime", "enum", "typing", "pods.ids"}


def leaves(hint: object) -> Iterator[object]:
    """Every elementary type that a value of this type can hold, however deep."""
    if typing.get_origin(hint) is not None or isinstance(hint, types.UnionType):
        for part in typing.get_args(hint):
            yield from leaves(part)
    elif inspect.isclass(hint) and (dataclasses.is_dataclass(hint) or hasattr(hint, "_fields")):
        for part in typing.get_type_hints(hint).values():
            yield from leaves(part)
    else:
        yield hint


def can_hold_text(hint: object) -> bool:
    closed = inspect.isclass(hint) and (issubclass(hint, Enum) or hint in HOLDS_NO_TEXT)
    return not (closed or hint in IDS)


def arguments_of(function: typing.Any) -> list[object]:
    hints = typing.get_type_hints(function)
    return [hint for name, hint in hints.items() if name != "return"]


def imports_of(module: types.ModuleType) -> set[str]:
    source = Path(inspect.getfile(module)).read_text()
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_no_argument_of_it_can_hold_free_text_however_deep() -> None:
    found = [leaf for hint in arguments_of(ownership) for leaf in leaves(hint)]

    assert len(found) > 15
    assert [leaf for leaf in found if can_hold_text(leaf)] == []


def test_it_imports_nothing_that_could_bring_text_in() -> None:
    assert imports_of(pods.ownership) <= ALLOWED_IMPORTS


def test_the_ids_import_nothing_at_all() -> None:
    assert imports_of(pods.ids) == {"typing"}


@dataclasses.dataclass
class _WithNote:
    at: datetime
    note: str | None


class _Noted(typing.NamedTuple):
    at: datetime
    note: str | None


HIDING = [str, object, bytes, dict[str, int], tuple[_WithNote, ...], tuple[_Noted, ...], typing.Any]


@pytest.mark.parametrize("smuggled", HIDING)
def test_the_walk_finds_text_wherever_it_hides(smuggled: object) -> None:
    assert any(can_hold_text(leaf) for leaf in leaves(smuggled))
