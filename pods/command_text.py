# ruff: noqa: RUF001 - typographic quotes and dashes are what this module is about
"""What people type after a command, made into plain words.

Slack hands text over with `&`, `<` and `>` escaped, and with mentions and links wrapped in angle
brackets; phones type curly quotes, long dashes and non-breaking spaces.
Source: Slack's "Formatting text for app surfaces", and its slash commands with `should_escape` on.
"""

import re
import shlex
import unicodedata

LONGEST = 8_000
_WRAPPED = re.compile(r"<([^<>|]+)(?:\|([^<>|]*))?>")
_OPTION = re.compile(r"[—–―−][—–―−-]?(?=[A-Za-z][\w-]*(?:=|$))")
_HYPHENS = dict.fromkeys(map(ord, "‐‑‒−"), "-")
_DOUBLE = dict.fromkeys(map(ord, "“”„‟″"), '"')
_SINGLE = dict.fromkeys(map(ord, "‘‚‛′"), "'")
_IN_WORD = re.compile(r"(?<=\w)['’](?=\w)")
_APOSTROPHE = "\ue000"
_JOINER = "\u200d"  # holds emoji together


def words_of(text: str) -> list[str]:
    """The words of a typed command, quotes honoured.

    Raises `ValueError` with a sentence if the text is huge or a quotation is not closed.
    """
    if len(text) > LONGEST:
        raise ValueError(
            f"that is {len(text):,} characters; a command may have {LONGEST:,}. "
            "Put long things into a file or a repository"
        )
    return [_OPTION.sub("--", word) if _OPTION.match(word) else word for word in _split(plain(text))]


def plain(text: str) -> str:
    """The text as it would have been typed on a plain keyboard: nothing wrapped, nothing escaped."""
    unwrapped = _WRAPPED.sub(_unwrap, text)
    unescaped = unwrapped.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    spaced = "".join(_plain_space(char) for char in unescaped)
    return spaced.translate(_HYPHENS | _DOUBLE | _SINGLE)


def _unwrap(match: re.Match[str]) -> str:
    """A mention becomes its id (`@U1`, `#C1`); a link becomes what was typed, else its address."""
    target, label = match[1], match[2]
    if target.startswith("!subteam^"):
        return "@" + target.removeprefix("!subteam^")
    if target.startswith("!"):
        return "@" + target[1:].split("^")[0]
    if target[0] in "@#":
        return target
    typed = (label or "").removesuffix("/")
    if typed and target.removesuffix("/") in (f"http://{typed}", f"mailto:{typed}"):
        return typed
    return target.removeprefix("mailto:")


def _plain_space(char: str) -> str:
    if char in "\t\n\r":
        return char
    match unicodedata.category(char):
        case "Zs" | "Zl" | "Zp":
            return " "
        case "Cf" | "Cc" | "Co" | "Cs" if char != _JOINER:
            return ""
        case _:
            return char


def _split(text: str) -> list[str]:
    """Split at spaces outside quotations. A backslash and an apostrophe inside a word are letters."""
    lexer = shlex.shlex(_IN_WORD.sub(_APOSTROPHE, text).replace("’", "'"), posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return [word.replace(_APOSTROPHE, "'") for word in lexer]
    except ValueError:
        last = max(text.rfind('"'), text.rfind("'"), text.rfind("’"))
        raise ValueError(
            f"a quotation is not closed: `{text[last : last + 30]}`; put a second `{text[last]}` behind it"
        ) from None
