"""What came of a question, told to the person because of whom somebody else was asked."""

from sqlmodel import Session

from bot.approvals.asked import asked
from bot.approvals.outcome import outcome
from bot.approvals.words import asked_act
from bot.text import mention, section, word
from jobs.house import House
from jobs.outbox.kinds import Message
from storage.columns import JsonObject


def came_of_asking(session: Session, refs: JsonObject, house: House) -> Message | None:
    """Once it is decided, void or too old; drawn anew as what was decided goes on."""
    about = asked(session, str(refs["question"]), house)
    if about is None:
        return None
    who, name = mention(about.question.asked), f"*{word(about.pod.name)}*"
    text = f"You asked {who} to {asked_act(about.question)} {name}. {outcome(session, about)}"
    return Message(text, [section(text)])
