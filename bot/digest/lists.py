"""Lists of pods that nobody answers for: of nobody, with *Mine*; of who left, with *Take over*."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from bot.fleet.lines import pod_lines
from bot.fleet.views import PodView, view
from bot.text import button, mention, per_hour, section
from gateways.slack.protocol import Block
from jobs.house import House
from jobs.outbox.kinds import Message
from pods.ownership import Grade
from storage.columns import JsonObject

MOST = 45
"""Slack takes fifty blocks."""


def draw_unowned(session: Session, house: House, refs: JsonObject, now: datetime) -> Message | None:
    """By cost. One that somebody has claimed since shows whose it is."""
    pods = _pods(session, house, refs, now)
    if not pods:
        return None
    rates = [pod.usd_per_hour for pod in pods if pod.usd_per_hour is not None and pod.owner is None]
    title = "The rest of the list:"
    if refs.get("first") == 1:
        claimed = sum(pod.whose.grade is not Grade.UNKNOWN for pod in pods)
        title = (
            f"{_nobody_said(refs.get('all'), claimed)} Those shown cost {per_hour(sum(rates))}. I leave "
            "them alone; press *Mine* on yours, and I ask you before they cost money for nothing."
        )
        if claimed == len(pods):
            title = "*Somebody has said of each of these pods that it is theirs.*"
    return listed(title, pods, now, "Mine", "claim", lambda pod: pod.owner is None)


def _nobody_said(many: object, claimed: int) -> str:
    pods = "this pod is" if many == 1 else f"these {many} pods are"
    if not claimed:
        return f"*Nobody has said whose {pods}.*"
    since = "one of those shown is" if claimed == 1 else f"{claimed} of those shown are"
    return f"*Nobody had said whose {pods}; {since} claimed by now.*"


def draw_left(session: Session, house: House, refs: JsonObject, now: datetime) -> Message | None:
    """Once, when somebody has left."""
    owner = str(refs["owner"])
    pods = _pods(session, house, refs, now)
    if not pods:
        return None
    title = (
        f"{mention(owner)} is not active here any more. Somebody has to answer for these pods; their keeps "
        "run out within 7 days, and their agents have stopped. An admin confirms who takes one over."
    )
    return listed(title, pods, now, "Take over", "take_over", lambda pod: pod.owner == owner)


def listed(
    title: str,
    pods: list[PodView],
    now: datetime,
    label: str,
    action: str,
    is_open: Callable[[PodView], bool],
) -> Message:
    """As many as Slack takes, each with the button if it `is_open`; and how many more there are."""
    blocks: list[Block] = [section(title)]
    for pod in pods[:MOST]:
        shown = section(pod_lines(pod, now))
        blocks.append({**shown, "accessory": _labelled(label, action, pod)} if is_open(pod) else shown)
    if len(pods) > MOST:
        blocks.append(section(f"and {len(pods) - MOST} more: `/pod list all`"))
    text = "\n".join([title, *(pod_lines(pod, now) for pod in pods[:MOST])])
    return Message(text, blocks)


def _labelled(label: str, action: str, pod: PodView) -> Block:
    return {**button(label, action, pod.pod_id), "accessibility_label": f"{label}: {pod.name}"[:75]}


def _pods(session: Session, house: House, refs: JsonObject, now: datetime) -> list[PodView]:
    ids = refs.get("pods")
    found = [
        view(session, str(pod_id), now, house.policy.claim_settle)
        for pod_id in (ids if isinstance(ids, list) else [])
    ]
    return [pod for pod in found if pod is not None and pod.gone_at is None]
