"""What was on the account before us: one message, with *Mine* for whoever it belongs to."""

from datetime import datetime

from sqlmodel import Session

from bot.digest.lists import listed
from bot.fleet.views import PodView, views
from bot.text import money
from jobs.house import House
from jobs.outbox.kinds import Message
from pods.ownership import Grade
from pods.phase import Phase
from storage.columns import JsonObject

_HOURS_A_MONTH = 720


def draw_first_day(session: Session, house: House, _refs: JsonObject, now: datetime) -> Message | None:
    """All pods in one sentence with their money; then those that are not mine, the dearest first. One that
    somebody has claimed since shows whose it is, below those of nobody."""
    pods = views(session, now, house.policy.claim_settle)
    stopped = [pod for pod in pods if pod.phase is Phase.EXITED]
    running = [pod for pod in pods if pod.phase is not Phase.EXITED]
    mine = sum(pod.whose.grade is Grade.PROVED for pod in pods)
    number = "one pod" if len(pods) == 1 else f"{len(pods)} pods"
    which = "none is mine" if not mine else f"{mine} of them I made myself"
    title = (
        f"Hello! I see {number} here, {len(running)} running at {money(_usd(running))}/hour, "
        f"{len(stopped)} stopped at about {money(_usd(stopped) * _HOURS_A_MONTH)}/month; {which}, "
        "and I will touch none of the others. "
        "Press *Mine* on yours: then I ask you before it costs money for nothing."
    )
    others = [pod for pod in pods if not pod.whose.in_ledger]
    others.sort(key=_place)
    return listed(title, others, now, "Mine", "claim", lambda pod: pod.owner is None)


def _place(pod: PodView) -> tuple[bool, float, str, str]:
    return pod.whose.grade is not Grade.UNKNOWN, -(pod.usd_per_hour or 0.0), pod.name, pod.pod_id


def _usd(pods: list[PodView]) -> float:
    return sum(pod.usd_per_hour or 0.0 for pod in pods)
