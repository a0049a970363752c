"""What can be pressed on a card. Every value is the id of the question; a select carries it as `block_id`."""

from datetime import datetime

from bot.fleet.views import PodView
from bot.text import actions, button, word
from gateways.slack.protocol import Block
from pods.phase import Phase
from storage.question import Question

KEEP_1D, KEEP, STOP, END = "card_keep_1d", "card_keep", "card_stop", "card_terminate"
NOT_MINE, WHY = "card_not_mine", "card_why"
OTHER = "other"
KEEP_CHOICES = {"3d": "3 days", "1w": "1 week", OTHER: "Other…"}
_NOTHING_TO_STOP = frozenset({Phase.EXITED, Phase.GONE})
_LONGEST_LABEL = 75


def card_buttons(question: Question, pod: PodView, now: datetime, *, for_admins: bool = False) -> Block:
    """The milder acts first. Ending is there only for who may end it: its owner now, or, on the copy in the
    ops channel, an admin if it was rented by us."""
    may_end = pod.whose.may_end and not (pod.locked or pod.cluster_member)
    shown: list[Block] = [
        _labelled(button("Keep 1 day", KEEP_1D, question.id), "Keep for 1 day", pod),
        keep_select("Keep for…"),
    ]
    if may_end and not for_admins and pod.phase not in _NOTHING_TO_STOP:
        shown.append(_labelled(button("Stop", STOP, question.id), "Stop", pod))
    if may_end and (not for_admins or pod.whose.in_ledger):
        shown.append(end_button(question, pod, now, with_confirmation=not for_admins))
    if not for_admins:
        shown.append(_labelled(button("Not mine", NOT_MINE, question.id), "Not mine:", pod))
    shown.append(_labelled(button("Why?", WHY, question.id), "Why am I asked about", pod))
    return {**actions(*shown), "block_id": question.id}


def keep_select(placeholder: str) -> Block:
    """For how long."""
    return {
        "type": "static_select",
        "action_id": KEEP,
        "placeholder": {"type": "plain_text", "text": placeholder},
        "options": [
            {"text": {"type": "plain_text", "text": text}, "value": value}
            for value, text in KEEP_CHOICES.items()
        ],
    }


def end_button(question: Question, pod: PodView, now: datetime, *, with_confirmation: bool) -> Block:
    """*Terminate*, or *End now* below a notice."""
    label = "End now" if question.kind == "notice" else "Terminate"
    shown = _labelled(button(label, END, question.id, "danger"), label, pod)
    return {**shown, "confirm": _confirmation(pod, now)} if with_confirmation else shown


def _confirmation(pod: PodView, now: datetime) -> Block:
    kept = " It is kept; ending it sets that aside." if pod.keeps.covers(now) else ""
    disks = "What is on its disks is lost for good; a network volume stays."
    return {
        "title": {"type": "plain_text", "text": "End this pod?"},
        "text": {"type": "plain_text", "text": f"{pod.name[:80]} ({pod.pod_id[:40]})\n{disks}{kept}"},
        "confirm": {"type": "plain_text", "text": "Terminate"},
        "deny": {"type": "plain_text", "text": "Leave it"},
        "style": "danger",
    }


def _labelled(shown: Block, act: str, pod: PodView) -> Block:
    """For screen readers: several cards look alike without the name."""
    return {**shown, "accessibility_label": f"{act} {word(pod.name, 40)}"[:_LONGEST_LABEL]}
