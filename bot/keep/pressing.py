"""*Keep for…* below a pod that has no question: the `block_id` is the pod's id."""

from collections.abc import Mapping
from datetime import timedelta

from bot.approvals.forms import FOR, keep_view
from bot.keep.command import keep_and_tell
from bot.slack.answering import Declined
from bot.slack.heard import Click, Submission
from bot.terminate.command import pod_by_id
from gateways.slack.errors import SlackRejected
from jobs.house import House
from pods.durations import parse_duration

CALLBACK = "pod_keep_form"
_CHOICES = {"3d": timedelta(days=3), "1w": timedelta(weeks=1)}


async def press_keep(house: House, click: Click) -> None:
    """As chosen, or a form that asks for how long."""
    pod = await pod_by_id(house, click.block_id or "")
    if click.chosen in _CHOICES:
        return await keep_and_tell(house, click, pod.pod_id, _CHOICES[click.chosen], None)
    if click.chosen != "other":
        raise Declined("I cannot keep a pod for that long or short. Nothing was done.")
    shown = {**keep_view(pod, pod.pod_id, house.answers.keep_max), "callback_id": CALLBACK}
    try:
        await house.slack.open_view(click.trigger_id or "", shown)
    except SlackRejected as error:
        raise Declined("That took too long to open; please choose once more. Nothing was done.") from error
    return None


def check(form: Submission) -> Mapping[str, str]:
    """What is typed must be a duration."""
    try:
        parse_duration(form.values.get(FOR) or "")
    except ValueError as error:
        return {FOR: f"{error}.".replace("`", "")}
    return {}


async def submit(house: House, form: Submission) -> None:
    """Keep it for as long as was typed."""
    lasting = parse_duration(form.values.get(FOR) or "")
    await keep_and_tell(house, form, form.private_metadata, lasting, None)
