"""What somebody may have meant who mistyped a word."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3


def near(typed: str, words: Iterable[str], most: int = MOST) -> list[str]:
    """The words that are most like the typed one, the likest first: misspelt, or begun or continued."""
    known = sorted(set(words))
    close = get_close_matches(typed, known, n=most, cutoff=0.6)
    begun = [word for word in known if len(typed) > 1 and (word.startswith(typed) or typed.startswith(word))]
    return list(dict.fromkeys([*close, *begun]))[:most]
