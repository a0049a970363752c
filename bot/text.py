"""How things are written in Slack: text from outside, moments, stretches of time, money, blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gateways.slack.protocol import Block
from gateways.slack.text import MRKDWN_SECTION, outside, shortened
from pods.ids import UserId
from pods.words import span_in_words

LONGEST_WORD = 80
_BLOCKS = 50
_UNBREAKING = str.maketrans({"`": "'", "\n": " ", "\t": " "})


@dataclass(frozen=True, slots=True)
class Shown:
    """What is said: `text` is what notifications and screen readers get."""

    text: str
    blocks: Sequence[Block] = ()


def word(text: str, longest: int = LONGEST_WORD) -> str:
    """A word or line from outside: one line, escaped, not too long."""
    return outside(text.translate(_UNBREAKING), longest)


def code(text: str, longest: int = LONGEST_WORD) -> str:
    """Text from outside between backquotes, which it cannot leave."""
    return f"`{word(text, longest) or ' '}`"


def mention(user: str) -> str:
    """A person, who is notified by it."""
    return f"<@{user}>"


def named(actor: str) -> str:
    """A person as a mention; an agent, or the bot itself, by its name."""
    return mention(actor) if actor[:1] in "UW" and actor.isalnum() and actor.isupper() else word(actor)


def when(moment: datetime) -> str:
    """A moment in the reader's own zone. Slack writes it; who cannot show it sees UTC."""
    plain = moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"<!date^{int(moment.timestamp())}^{{date_short_pretty}} {{time}}|{plain}>"


def with_hint(moment: datetime, now: datetime) -> str:
    """A moment and how far off it is: `today 14:00 (in 2 hours)`."""
    if moment > now:
        return f"{when(moment)} (in {span_in_words(moment - now)})"
    return f"{when(moment)} ({span_in_words(now - moment)} ago)"


def money(usd: float | None) -> str:
    """Dollars with two digits; what is unknown says so."""
    return "unknown" if usd is None else f"${usd:,.2f}"


def per_hour(usd: float | None) -> str:
    """Dollars an hour."""
    return "price unknown" if usd is None else f"${usd:,.2f}/h"


class SlackWords:
    """How the sentences about pods are put together for Slack (`pods.words.Words`)."""

    def mention(self, user: UserId) -> str:
        return mention(user)

    def when(self, moment: datetime) -> str:
        return when(moment)

    def span(self, length: timedelta) -> str:
        return span_in_words(length)


def section(text: str) -> Block:
    """A paragraph."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": shortened(text, MRKDWN_SECTION) or " "}}


def context(text: str) -> Block:
    """A small grey line."""
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": shortened(text, MRKDWN_SECTION)}]}


def button(label: str, action_id: str, value: str, style: str | None = None) -> Block:
    """A button. `value` is the id of one row, nothing else."""
    shown: dict[str, object] = {
        "type": "button",
        "text": {"type": "plain_text", "text": label},
        "action_id": action_id,
        "value": value,
    }
    return {**shown, "style": style} if style else shown


def actions(*elements: Block) -> Block:
    """A row of buttons."""
    return {"type": "actions", "elements": list(elements)}


def sections(paragraphs: Sequence[str], *more: Block) -> Shown:
    """Paragraphs, put together into as few blocks as they fit in, and further blocks below."""
    packed: list[str] = []
    for paragraph in paragraphs:
        if packed and len(packed[-1]) + 2 + len(paragraph) <= MRKDWN_SECTION:
            packed[-1] += f"\n\n{paragraph}"
        else:
            packed.append(paragraph)
    return Shown("\n".join(paragraphs), [*map(section, packed[: _BLOCKS - len(more)]), *more])
