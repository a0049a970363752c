"""One decision about all pods of a list: every one of them is shown first, and each is decided by itself."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlmodel import Session

from bot.approvals.asked import Asked, all_asked
from bot.approvals.deciding import settle
from bot.approvals.decision import Act, Wish
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click, Submission
from bot.text import Shown, per_hour, word
from gateways.slack.errors import SlackRejected
from gateways.slack.protocol import Block, View
from jobs.house import House
from storage.page import page
from storage.question import QuestionState

ALL_CALLBACK = "all_form"
WHAT = "what"
CHOICES: Mapping[str, tuple[str, Wish]] = {
    "1d": ("Keep all of them for 1 day", Wish(Act.KEEP, timedelta(days=1))),
    "1w": ("Keep all of them for 1 week", Wish(Act.KEEP, timedelta(weeks=1))),
    "end": ("Terminate all of them", Wish(Act.END)),
}
MOST_LINES = 20
MOST_BLOCKS = 95
GONE = "This list is not there any more. Nothing was done."
AGAIN = "That took too long to open; please press it once more. Nothing was done."


async def press_all(house: House, click: Click) -> None:
    """Show every pod that would be decided about."""
    found = await house.db.read(lambda session: _open_ones(session, house, click.value or "", click.user))
    if not found:
        raise Declined("There is nothing left of this list that you can decide. Nothing was done.")
    try:
        await house.slack.open_view(click.trigger_id or "", _view(found, click.value or ""))
    except SlackRejected as error:
        raise Declined(AGAIN) from error


def check_all(form: Submission) -> Mapping[str, str]:
    """Something must be chosen."""
    return {} if form.values.get(WHAT) in CHOICES else {WHAT: "Choose what should happen to them."}


async def submit_all(house: House, form: Submission) -> None:
    """Decide each that was shown, as if it had been pressed by itself."""
    label, wish = CHOICES[form.values.get(WHAT) or ""]

    def work(session: Session) -> tuple[int, int]:
        done = failed = 0
        for about in _open_ones(session, house, form.private_metadata, form.user):
            told = settle(session, house, form, about.question.id, wish)
            done, failed = (done + 1, failed) if isinstance(told, Shown) else (done, failed + 1)
        return done, failed

    done, failed = await house.db.run(work)
    house.wakes.wake("executor")
    house.wakes.wake("outbox")
    if not done and not failed:
        raise Declined(GONE)
    rest = f" {failed} could not be: the list says how each stands." if failed else ""
    await answer(house, form, f"{label}: done for {done} of {done + failed}.{rest}")


def _open_ones(session: Session, house: House, page_id: str, user: str) -> list[Asked]:
    """The undecided pods of the list of this person, in its order."""
    found = page(session, page_id)
    ids = found.items.get("ids") if found and found.shown_to == user else None
    abouts = all_asked(session, map(str, ids), house) if isinstance(ids, list) else []
    still_open = [about for about in abouts if about.question.state is QuestionState.OPEN]
    return still_open[: MOST_LINES * MOST_BLOCKS]


def _view(found: Sequence[Asked], page_id: str) -> View:
    lines = [
        f"• *{word(each.pod.name)}* `{each.pod.pod_id}` {per_hour(each.pod.usd_per_hour)}" for each in found
    ]
    parts = [lines[start : start + MOST_LINES] for start in range(0, len(lines), MOST_LINES)]
    return {
        "type": "modal",
        "callback_id": ALL_CALLBACK,
        "title": {"type": "plain_text", "text": "All of them"},
        "submit": {"type": "plain_text", "text": "Do it"},
        "close": {"type": "plain_text", "text": "Leave it"},
        "private_metadata": page_id,
        "blocks": [_choice(len(found)), *map(_listed, parts)],
    }


def _listed(lines: Sequence[str]) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": "\n".join(lines)}}


def _choice(many: int) -> Block:
    return {
        "type": "input",
        "block_id": WHAT,
        "label": {"type": "plain_text", "text": f"These {many} pods"},
        "element": {
            "type": "radio_buttons",
            "action_id": "value",
            "options": [
                {"text": {"type": "plain_text", "text": text}, "value": value}
                for value, (text, _) in CHOICES.items()
            ],
        },
    }
