# ruff: noqa: RUF001 - typographic quotes are told from plain ones here
"""Names of pods as people give them."""

import re
import unicodedata

LONGEST = 48
_GRAMMAR = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?")
_RULE = "a name has 1 to 48 of `a-z 0-9 . _ -` and begins and ends with a letter or digit, like `train-7b`"


def parse_name(text: str) -> str:
    """The name with its capitals lowered. Raises `ValueError` with a sentence that says what is wrong."""
    name = text.strip(" ").lower()
    if not name:
        raise ValueError(f"the name is empty; {_RULE}")
    if len(name) > LONGEST:
        raise ValueError(f"the name has {len(name)} characters; {_RULE}")
    if wrong := [c for c in name if not re.fullmatch(r"[a-z0-9._-]", c)]:
        raise ValueError(f"the name contains {_spoken(wrong[0])}; {_RULE}")
    if not _GRAMMAR.fullmatch(name):
        end = "begins" if name[0] in "._-" else "ends"
        raise ValueError(f"the name `{name}` {end} with a sign; {_RULE}")
    return name


def _spoken(char: str) -> str:
    """One character that does not belong in a name, as a person would call it."""
    match char:
        case " ":
            return "a space"
        case "\n" | "\r":
            return "a line break"
        case "\t":
            return "a tab"
        case '"' | "'" | "`" | "“" | "”" | "‘" | "’":
            return "a quotation mark"
        case _ if unicodedata.category(char)[0] in "CZ":
            return "an invisible character"
        case _ if unicodedata.category(char) == "So":
            return f"the symbol {char}"
        case _:
            return f"`{char}`"
