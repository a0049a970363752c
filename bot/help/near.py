"""What somebody may have meant who mistyped a word."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

MOST = 3
T = TypeVar("T")


def near(typed: str, words: Iterable[str], most: int = MOST) -> list[str]:
    """The words that are most like the typed one, the likest first: misspelt, or begun or continued."""
    known = sorted(set(words))
    close = get_close_matches(typed, known, n=most, cutoff=0.6)
    begun = [word for word in known if len(typed) > 1 and (word.startswith(typed) or typed.startswith(word))]
    return list(dict.fromkeys([*close, *begun]))[:most]


def near_things(typed: str, called: Mapping[T, Iterable[str]], most: int = MOST) -> dict[T, str]:
    """The things that are called most like the typed word, the likest first, each with that one of its names.

    Capitals make no difference, and a thing with several such names is there once.
    """
    things: dict[str, list[tuple[T, str]]] = {}
    for thing, names in called.items():
        for name in names:
            things.setdefault(name.lower(), []).append((thing, name))
    found: dict[T, str] = {}
    for word in near(typed.lower(), things, max(len(things), 1)):
        for thing, name in things[word]:
            found.setdefault(thing, name)
    return dict([*found.items()][:most])
