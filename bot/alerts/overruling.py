"""*It is empty* and *The pods are dead*: what only an admin can know, below the alerts that ask for it."""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel import Session

from bot.alerts.pods import listed
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.table import Press
from bot.text import actions, mention, section
from gateways.slack.protocol import Block
from jobs.house import House
from jobs.outbox.kinds import Message
from jobs.overruling import Refused, Word, present, say
from storage.columns import JsonObject

ACTIONS = {Word.EMPTY: "fleet_empty", Word.NULLS_ARE_TRUE: "witness_overrule"}
_LABELS = {Word.EMPTY: "It is empty", Word.NULLS_ARE_TRUE: "The pods are dead"}
_SURE = {
    Word.EMPTY: "Every pod that I knew then counts as gone. Please look at RunPod's console first.",
    Word.NULLS_ARE_TRUE: "I then believe again that nothing runs where RunPod shows nothing, and may ask "
    "about those pods, or end what never ran. Please look at RunPod's console first.",
}
_TOLD = {
    Word.EMPTY: "{by} says that the account is empty. I go by that: the pods that I knew count as gone.",
    Word.NULLS_ARE_TRUE: "{by} says that RunPod's answers are true: nothing runs on those pods. I go by "
    "that again.",
}


def overrule_button(word: Word, shown: str) -> Block:
    """For admins, with a confirmation; who else presses it is told so. `shown`: the key of what is asked."""
    label = _LABELS[word]
    return {
        "type": "button",
        "action_id": ACTIONS[word],
        "value": shown,
        "text": {"type": "plain_text", "text": label},
        "confirm": {
            "title": {"type": "plain_text", "text": "Are you sure?"},
            "text": {"type": "plain_text", "text": _SURE[word]},
            "confirm": {"type": "plain_text", "text": label},
            "deny": {"type": "plain_text", "text": "Not yet"},
        },
    }


def overruled(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """Publicly, who said it."""
    text = _TOLD[Word(str(refs["word"]))].format(by=mention(str(refs["by"])))
    return Message(text, [section(text)])


async def press_empty(house: House, click: Click) -> None:
    """*It is empty*."""
    await _press(house, click, Word.EMPTY)


async def press_nulls_are_true(house: House, click: Click) -> None:
    """*The pods are dead*."""
    await _press(house, click, Word.NULLS_ARE_TRUE)


async def _press(house: House, click: Click, word: Word) -> None:
    shown = click.value or ""
    refused = await house.db.run(lambda session: say(session, house, word, shown, click.user))
    if refused is Refused.ANOTHER:
        return await _ask_anew(house, click, word)
    if refused is not None:
        raise Declined(refused)
    return await answer(house, click, "I go by that from my next look on.")


async def _ask_anew(house: House, click: Click, word: Word) -> None:
    """The message is older than what it is about: show that as it is now."""

    def draw(session: Session) -> tuple[str, list[Block]]:
        about = present(session, word)
        pods = f" Now they are: {listed(session, about.pods)}." if about else ""
        text = f"{Refused.ANOTHER}{pods}"
        return text, [section(text), *([actions(overrule_button(word, about.key))] if about else [])]

    text, blocks = await house.db.read(draw)
    await answer(house, click, text, blocks)


OVERRULING_CLICKS: Mapping[str, Press] = {
    ACTIONS[Word.EMPTY]: press_empty,
    ACTIONS[Word.NULLS_ARE_TRUE]: press_nulls_are_true,
}
