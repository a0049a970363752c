"""Text from outside, made fit to stand in a Slack message."""

MRKDWN_SECTION = 3000
"""The longest text of a section block."""
MESSAGE = 4000
"""The longest `text` of a message that Slack takes on an update."""
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_NOTICE = "… (shortened)"


def escaped(text: str) -> str:
    """The text as Slack shows it literally: no mention, link or command in it comes alive."""
    return "".join(_ENTITIES.get(character, character) for character in text)


def outside(text: str, longest: int) -> str:
    """Escaped text of at most `longest` characters as Slack counts them; if it was cut, it says so.

    Control characters but for line breaks and tabs become spaces.
    """
    shown = [_shown(character) for character in text]
    if sum(map(len, shown)) <= longest:
        return "".join(shown)
    kept, left = [], longest - len(_NOTICE)
    for piece in shown:
        left -= len(piece)
        if left < 0:
            break
        kept.append(piece)
    return ("".join(kept) + _NOTICE)[:longest]


def shortened(text: str, longest: int) -> str:
    """A text of ours of at most `longest` characters; if it was cut, it says so. It is not escaped."""
    return text if len(text) <= longest else (text[: max(longest - len(_NOTICE), 0)] + _NOTICE)[:longest]


def _shown(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return _ENTITIES.get(character, character)
    return " "
