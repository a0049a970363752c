"""News that comes once: the first day on an account, a limit that holds, an end by a clock."""

from datetime import datetime

from sqlmodel import Session

from bot.alerts.pods import called, has_cost
from bot.text import mention, money, section, when
from jobs.outbox.kinds import UNDELIVERABLE, Message
from pods import cost
from pods.episodes import PodHistory
from pods.guards import Path
from pods.limits import Limit
from pods.phase import Phase
from pods.snapshot import Snapshot
from storage.columns import JsonObject
from storage.deed import Deed, DeedState, deed
from storage.history import histories
from storage.ledger import ledger_records
from storage.pod import snapshots

_HOURS_A_MONTH = 720

_LIMITS = {
    Limit.STALE_PER_PASS: "{wanted} stopped pods would end in one go; {allowed} may.",
    Limit.STALE_PER_OWNER: "{wanted} stopped pods of {owner} would end in one go; {allowed} may.",
    Limit.STALE_PER_DAY: "{wanted} more stopped pods would end today; {allowed} more may.",
    Limit.STALE_SHARE: "{wanted} stopped pods would end, too large a part of those I made; {allowed} may.",
    Limit.NEVER_RAN_PER_PASS: "{wanted} pods on which nothing ever ran would end in one go; {allowed} may.",
    Limit.NEVER_RAN_PER_DAY: "{wanted} more pods on which nothing ever ran would end today; {allowed} may.",
}
_WHY = {
    Path.NEVER_RAN: "nothing ever ran on it",
    Path.STALE: "it had been stopped for so long, and its time was over",
    Path.FENCE: "its time was over, as ordered",
}


def first_day(session: Session, _refs: JsonObject, _now: datetime) -> Message | None:
    """One message about what was there before us."""
    ours = ledger_records(session)
    seen = [(pod, past.episode.phase) for pod, past in _fleet(session)]
    stopped = [pod for pod, phase in seen if phase is Phase.EXITED]
    running = [(pod, phase) for pod, phase in seen if phase is not Phase.EXITED]
    per_hour = sum(
        cost.usd_per_hour_now(phase, pod.usd_per_hour, pod.mounts) or 0.0 for pod, phase in running
    )
    storage = sum(cost.usd_per_hour_now(Phase.EXITED, None, pod.mounts) or 0.0 for pod in stopped)
    mine = sum(pod.pod_id in ours for pod, _ in seen)
    which = "none is mine" if not mine else f"{mine} of them I made myself"
    number = "one pod" if len(seen) == 1 else f"{len(seen)} pods"
    text = (
        f"Hello! I see {number} here, {len(running)} running at {money(per_hour)}/hour, "
        f"{len(stopped)} stopped at about {money(storage * _HOURS_A_MONTH)}/month; {which}, "
        "and I will touch none of the others. "
        "`/pod list all` shows them, and `/pod claim` makes one yours: then I ask you before it costs money "
        "for nothing."
    )
    return Message(text, [section(text)])


def _fleet(session: Session) -> list[tuple[Snapshot, PodHistory]]:
    past = histories(session)
    return [(pod, past[pod_id]) for pod_id, pod in snapshots(session).items() if pod_id in past]


def limit_exceeded(_session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """So many ends at once that it may be a mistake."""
    limit, owner = Limit(str(refs["limit"])), refs.get("owner")
    whose = mention(str(owner)) if owner else "one person"
    what = _LIMITS[limit].format(wanted=refs["wanted"], allowed=refs["allowed"], owner=whose)
    never_ran = limit in (Limit.NEVER_RAN_PER_PASS, Limit.NEVER_RAN_PER_DAY)
    then = (
        "I end the oldest and ask about the rest. Did a launch go wrong?"
        if never_ran
        else "So I end none of them and ask their owners instead."
    )
    text = f":warning: *{what}* {then}"
    return Message(text, [section(text)])


def ended_by_clock(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """To the owner, after the end."""
    act = deed(session, str(refs["deed"]))
    if act is None or act.state is not DeedState.DONE:
        return None
    ended_at = act.answered_at or act.finished_at or now
    spent = money(has_cost(session, act.pod_id, ended_at))
    text = (
        f"{called(session, act.pod_id)} was ended at {when(ended_at)}, because {_WHY[Path(act.path)]}. "
        f"{_evidence(act)}It had cost about {spent}."
    )
    unreachable = refs.get(UNDELIVERABLE)
    said = f"{text}\nI could not reach {mention(str(unreachable))} about this." if unreachable else text
    return Message(said, [section(said)])


def _evidence(act: Deed) -> str:
    return f"`/pod why {act.pod_id}` shows what I saw. " if act.pod_id.isalnum() else ""
