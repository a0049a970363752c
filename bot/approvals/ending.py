"""When the pod of a notice ends by itself."""

from datetime import datetime

from bot.approvals.asked import Asked
from jobs.house import House


def ends_at(about: Asked, house: House, now: datetime) -> datetime | None:
    """The time that is in force. The clock of a stale end starts when Slack has taken the notice."""
    question, pod = about.question, about.pod
    if question.reason == "fence_passed":
        later = [moment for moment in (pod.fence_at, pod.keeps.kept_until) if moment is not None]
        return max(later, default=question.ends_at)
    return (question.delivered_at or now) + house.policy.stale_notice
