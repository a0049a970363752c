"""The clicks on cards and notices."""

from datetime import timedelta

from bot.approvals.asked import Asked, asked
from bot.approvals.buttons import OTHER
from bot.approvals.deciding import NOT_ON_RECORD, Refused, settle
from bot.approvals.decision import Act, Wish
from bot.approvals.forms import keep_view, reason_view
from bot.approvals.reasoning import reasoning
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable, Click
from gateways.slack.errors import SlackRejected
from gateways.slack.protocol import View
from jobs.house import House
from pods.durations import parse_duration
from pods.ownership import Grade

CHOICES = {"3d": timedelta(days=3), "1w": timedelta(weeks=1)}
AGAIN = "That took too long to open; please press it once more. Nothing was done."


async def press_keep_1d(house: House, click: Click) -> None:
    """*Keep 1 day*."""
    await decide_and_tell(house, click, click.value, Wish(Act.KEEP, timedelta(days=1)))


async def press_keep(house: House, click: Click) -> None:
    """*Keep for…*: as chosen, or a form that asks for how long."""
    if click.chosen == OTHER:
        about = await _about(house, click.block_id)
        return await _open(house, click, keep_view(about.pod, about.question.id, house.answers.keep_max))
    lasting = CHOICES.get(click.chosen or "")
    if lasting is None:
        raise Declined(
            "I cannot keep a pod for that long or short. Choose one of the list. Nothing was done."
        )
    await decide_and_tell(house, click, click.block_id, Wish(Act.KEEP, lasting))
    return None


async def press_stop(house: House, click: Click) -> None:
    """*Stop*."""
    await decide_and_tell(house, click, click.value, Wish(Act.STOP))


async def press_end(house: House, click: Click) -> None:
    """*Terminate* or *End now*. An admin is asked for a reason first, if it is somebody else's."""
    about = await _about(house, click.value)
    whose = about.pod.whose
    if click.user in house.admins and not about.pod.is_mine(click.user) and whose.grade is Grade.PROVED:
        return await _open(house, click, reason_view(about.pod, about.question.id))
    await decide_and_tell(house, click, click.value, Wish(Act.END))
    return None


async def press_not_mine(house: House, click: Click) -> None:
    """*Not mine*."""
    await decide_and_tell(house, click, click.value, Wish(Act.NOT_MINE))


async def press_why(house: House, click: Click) -> None:
    """*Why?*: the whole reasoning, privately. Decides nothing."""
    about = await _about(house, click.value)
    shown = await house.db.read(lambda session: reasoning(session, house, about.pod))
    await answer(house, click, shown.text, shown.blocks)


async def decide_and_tell(house: House, to: Answerable, question_id: str | None, wish: Wish) -> None:
    """Decide, start what follows, and tell the person alone."""
    told = await house.db.run(lambda session: settle(session, house, to, question_id or "", wish))
    house.wakes.wake("executor")
    house.wakes.wake("outbox")
    if isinstance(told, Refused):
        if told.sentence is not None:
            raise Declined(told.sentence)
        return
    await answer(house, to, told.text, told.blocks)


def lasting_of(text: str, longest: timedelta) -> timedelta:
    """How long, as typed. Raises ValueError with a sentence."""
    lasting = parse_duration(text)
    if lasting > longest:
        raise ValueError(f"a keep may last {longest.days} days at most; you can give it again later")
    return lasting


async def _about(house: House, question_id: str | None) -> Asked:
    found = await house.db.read(lambda session: asked(session, question_id or "", house))
    if found is None:
        raise Declined(NOT_ON_RECORD)
    return found


async def _open(house: House, click: Click, view: View) -> None:
    if click.trigger_id is None:
        raise Declined(AGAIN)
    try:
        await house.slack.open_view(click.trigger_id, view)
    except SlackRejected as error:
        raise Declined(AGAIN) from error
