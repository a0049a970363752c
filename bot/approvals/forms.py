"""Two small forms: for how long, and why."""

from datetime import timedelta

from bot.fleet.views import PodView
from bot.text import word
from gateways.slack.protocol import View
from pods.durations import format_duration

KEEP_CALLBACK, REASON_CALLBACK = "keep_form", "end_form"
FOR, REASON = "for", "reason"


def keep_view(pod: PodView, question_id: str, longest: timedelta) -> View:
    """For how long, in words."""
    hint = f"Like 12h, 5d or 2w; {format_duration(longest)} at most."
    field = {"type": "plain_text_input", "action_id": "value", "max_length": 40}
    return _form(
        KEEP_CALLBACK, "Keep a pod", "Keep", question_id, _input(FOR, "For how long?", hint, field), pod
    )


def reason_view(pod: PodView, question_id: str) -> View:
    """Why an admin ends what is somebody else's."""
    hint = "Its owner reads this, 15 minutes before it ends unless nothing ever ran on it."
    field = {"type": "plain_text_input", "action_id": "value", "multiline": True, "max_length": 1000}
    return _form(
        REASON_CALLBACK, "End a pod", "Terminate", question_id, _input(REASON, "Why?", hint, field), pod
    )


def _form(
    callback: str, title: str, submit: str, question_id: str, field: dict[str, object], pod: PodView
) -> View:
    return {
        "type": "modal",
        "callback_id": callback,
        "title": {"type": "plain_text", "text": title},
        "submit": {"type": "plain_text", "text": submit},
        "close": {"type": "plain_text", "text": "Leave it"},
        "private_metadata": question_id,
        "blocks": [
            {"type": "section", "text": {"type": "mrkdwn", "text": f"*{word(pod.name)}* `{pod.pod_id}`"}},
            field,
        ],
    }


def _input(block_id: str, label: str, hint: str, element: dict[str, object]) -> dict[str, object]:
    return {
        "type": "input",
        "block_id": block_id,
        "label": {"type": "plain_text", "text": label},
        "hint": {"type": "plain_text", "text": hint},
        "element": element,
    }
