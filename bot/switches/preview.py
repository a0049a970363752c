"""What arming a job would do now, before anybody allows it."""

from collections.abc import Sequence

from sqlmodel import Session

from bot.alerts.pods import called, costs
from bot.text import Shown, actions, button, code, mention, section
from jobs.arming import Preview
from pods.guards import Job
from pods.plan import Judged

MOST_SHOWN = 20
_WHAT = {
    Job.NEVER_RAN: "I would end pods that I made and on which nothing ever ran, after one last look.",
    Job.STALE: "I would tell the owners of pods that I made and that are stopped for long, and end these.",
}


def draw_preview(session: Session, shown: Preview, page_id: str) -> Shown:
    """The plan, and *Arm*."""
    parts = [
        f"*Arm {code(shown.job)}?* {_WHAT[shown.job]}",
        _listed(session, "It would end now", shown.ends, shown),
        _listed(session, "Their owners would be told", shown.notices, shown),
        _listed(session, "Held for now by a limit, a notice or a pause", shown.held, shown),
    ]
    told = [part for part in parts if part]
    if len(told) == 1:
        told.append("At this moment it would do nothing.")
    arm = button("Arm", "arm_confirm", page_id, "danger")
    buttons = actions(arm, button("Leave it", "pod_leave", page_id))
    return Shown("\n".join(told), [*map(section, told), buttons])


def _listed(session: Session, title: str, pods: Sequence[Judged], shown: Preview) -> str:
    if not pods:
        return ""
    lines = [
        f"• {called(session, pod_id)}{_owner(one)}: {costs(session, pod_id, shown.plan.at)}"
        for one in pods[:MOST_SHOWN]
        if (pod_id := one.facts.pod_id)
    ]
    more = [f"and {len(pods) - MOST_SHOWN} more"] if len(pods) > MOST_SHOWN else []
    return "\n".join([f"*{title}: {len(pods)}*", *lines, *more])


def _owner(one: Judged) -> str:
    return f" of {mention(one.facts.owner)}" if one.facts.owner else ""
