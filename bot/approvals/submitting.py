"""What is done once one of the forms was sent off."""

from collections.abc import Mapping

from bot.approvals.decision import Act, Wish
from bot.approvals.forms import FOR, REASON
from bot.approvals.pressing import decide_and_tell, lasting_of
from bot.slack.answering import Declined
from bot.slack.heard import Submission
from jobs.house import House
from pods.durations import parse_duration


def check_keep(form: Submission) -> Mapping[str, str]:
    """What is typed must be a duration; how long it may be is known later."""
    try:
        parse_duration(form.values.get(FOR) or "")
    except ValueError as error:
        return {FOR: f"{error}.".replace("`", "")}
    return {}


async def submit_keep(house: House, form: Submission) -> None:
    """Keep it for as long as was typed."""
    try:
        lasting = lasting_of(form.values.get(FOR) or "", house.answers.keep_max)
    except ValueError as error:
        raise Declined(f"Nothing was kept: {error}.") from error
    await decide_and_tell(house, form, form.private_metadata, Wish(Act.KEEP, lasting))


def check_reason(form: Submission) -> Mapping[str, str]:
    """Some reason must be given."""
    given = (form.values.get(REASON) or "").strip()
    return {} if given else {REASON: "Please say why; its owner reads it."}


async def submit_reason(house: House, form: Submission) -> None:
    """An admin ends somebody else's pod, with a reason."""
    reason = (form.values.get(REASON) or "").strip()
    await decide_and_tell(house, form, form.private_metadata, Wish(Act.END, reason=reason))
