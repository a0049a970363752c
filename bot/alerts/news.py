"""News that comes once: the first day on an account, a limit that holds."""

from datetime import datetime

from sqlmodel import Session

from bot.text import mention, money, section
from jobs.outbox.kinds import Message
from pods import cost
from pods.episodes import PodHistory
from pods.limits import Limit
from pods.phase import Phase
from pods.snapshot import Snapshot
from storage.columns import JsonObject
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
