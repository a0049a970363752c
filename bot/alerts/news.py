"""News of a limit that holds."""

from datetime import datetime

from pydantic import JsonValue
from sqlmodel import Session

from bot.text import mention, section
from jobs.outbox.kinds import Message
from pods.limits import Limit
from storage.columns import JsonObject

_LIMITS = {
    Limit.STALE_PER_PASS: "{many} would end in one go; {allowed} may.",
    Limit.STALE_PER_OWNER: "{many} of {owner} would end in one go; {allowed} may.",
    Limit.STALE_PER_DAY: "{many} more would end today; {allowed} more may.",
    Limit.STALE_SHARE: "{many} would end, too large a part of those I made; {allowed} may.",
    Limit.NEVER_RAN_PER_PASS: "{many} on which nothing ever ran would end in one go; {allowed} may.",
    Limit.NEVER_RAN_PER_DAY: "{many} more on which nothing ever ran would end today; {allowed} more may.",
}
_NEVER_RAN = (Limit.NEVER_RAN_PER_PASS, Limit.NEVER_RAN_PER_DAY)


def limit_exceeded(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """So many ends at once that it may be a mistake."""
    limit, owner = Limit(str(refs["limit"])), refs.get("owner")
    never_ran = limit in _NEVER_RAN
    what = _LIMITS[limit].format(
        many=_many(refs["wanted"], "pod" if never_ran else "stopped pod"),
        allowed="none" if refs["allowed"] == 0 else refs["allowed"],
        owner=mention(str(owner)) if owner else "one person",
    )
    then = (
        "I end the oldest and ask about the rest. Did a launch go wrong?"
        if never_ran
        else "So I end none of them and ask their owners instead."
    )
    text = f":warning: *{what}* {then}"
    return Message(text, [section(text)])


def _many(number: JsonValue, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
