"""The digest in words: money first, then whoever has something to do, then what I may do by myself."""

from collections import Counter
from datetime import date, datetime, timedelta

from sqlmodel import Session

from bot.text import code, context, mention, money, section, when, word
from jobs.arming import Preview, preview
from jobs.digest.figures import Day, PodCost, days
from jobs.house import House
from jobs.outbox.kinds import Message
from pods.cost import usd_per_hour_saved
from pods.guards import Job
from pods.plan import Judged
from pods.snapshot import Snapshot
from storage.columns import JsonObject
from storage.person import Person, people
from storage.pod import snapshots
from storage.question import open_questions
from storage.switches import arming
from storage.trail import head as trail_head

MOST_PODS = 40
MOST_PEOPLE = 30
_DAY_HOURS = 24


def draw_digest(session: Session, house: House, refs: JsonObject, now: datetime) -> Message:
    """The one message."""
    day = date.fromisoformat(str(refs["day"]))
    before, that = days(
        session, [day - timedelta(days=1), day], house.schedules.zone, now, house.policy.claim_settle
    )
    lines = [first_line(before, that), *_to_do(session), *_by_myself(session, house)]
    trail = trail_head(session)
    foot = f"The trail has {trail.rows:,} rows; its head is {code(trail.head)}."
    return Message("\n".join([*lines, foot]), [*map(section, lines), context(foot)])


def first_line(before: Day, that: Day) -> str:
    """`Yesterday $412.00, ▲ 12 %; $38.00 of it on pods that never ran or sat stopped.`"""
    idle = f"; {money(that.idle)} of it on pods that never ran or sat stopped" if that.idle >= 0.01 else ""
    unknown = f" {_unpriced(that.unknown)}" if that.unknown else ""
    return f"*Yesterday {money(that.usd)}*{_change(before.usd, that.usd)}{idle}.{unknown}"


def _unpriced(number: int) -> str:
    many = "1 pod of unknown price is" if number == 1 else f"{number} pods of unknown price are"
    return f"{many} not in it."


def _change(before: float, that: float) -> str:
    if before < 0.01:
        return ""
    percent = round((that - before) / before * 100)
    if percent == 0:
        return ", as the day before"
    return f", {'▲' if percent > 0 else '▼'} {abs(percent):,} %"


def _to_do(session: Session) -> list[str]:
    """Only people for whom a question is open are mentioned."""
    asked = Counter(one.asked for one in open_questions(session) if one.asked[:1] in "UW")
    if not asked:
        return []
    shown = [f"{mention(user)} ({number})" for user, number in asked.most_common(MOST_PEOPLE)]
    more = f" and {len(asked) - MOST_PEOPLE} more people" if len(asked) > MOST_PEOPLE else ""
    return [f"Questions wait for {', '.join(shown)}{more}. They are in your messages, and in my Home."]


def _by_myself(session: Session, house: House) -> list[str]:
    """What I would do if I were allowed to."""
    allowed = arming(session)
    jobs = [(Job.NEVER_RAN, allowed.never_ran), (Job.STALE, allowed.stale)]
    told = [_would(session, preview(session, house, job)) for job, armed in jobs if not armed]
    paused = ["Everything is paused: nothing ends or stops."] if allowed.paused else []
    return [*paused, *filter(None, told)]


def _would(session: Session, shown: Preview) -> str:
    ended: list[Judged] = [*shown.ends, *shown.notices]
    if not ended or not shown.complete:
        return ""
    seen = snapshots(session)
    rates = [_saved(one, pod) for one in ended if (pod := seen.get(one.facts.pod_id))]
    many = "1 pod" if len(ended) == 1 else f"{len(ended)} pods"
    saved = money(sum(rates) * _DAY_HOURS)
    return f"Armed for {code(shown.job)}, I would have ended {many} and saved {saved} a day."


def _saved(one: Judged, pod: Snapshot) -> float:
    """An hour; of one that is stopped, its storage only."""
    return usd_per_hour_saved(one.facts.phase, pod.usd_per_hour, pod.mounts) or 0.0


def draw_table(session: Session, house: House, refs: JsonObject, now: datetime) -> Message:
    """The day, pod by pod, the dearest first."""
    day = date.fromisoformat(str(refs["day"]))
    [that] = days(session, [day], house.schedules.zone, now, house.policy.claim_settle)
    ordered = sorted(that.pods, key=lambda pod: (-(pod.usd or 0.0), pod.pod_id))
    known = people(session)
    lines = [
        f"{money(pod.usd)}  *{word(pod.name)}* `{pod.pod_id}`{_whose(pod.owner, known)}{_idle(pod)}"
        for pod in ordered[:MOST_PODS]
    ]
    if not lines:
        return Message(f"There were no pods on {day}.", [section(f"There were no pods on {day}.")])
    more = [f"and {len(ordered) - MOST_PODS:,} more"] if len(ordered) > MOST_PODS else []
    title = f"*{day:%A, %d %B}*, as of {when(now)}"
    told = [title, *lines, *more]
    parts = ["\n".join(told[start : start + 20]) for start in range(0, len(told), 20)]
    return Message("\n".join(told), [*map(section, parts)])


def _idle(pod: PodCost) -> str:
    if pod.never_ran:
        return ", never ran"
    return f", {money(pod.idle)} of it stopped" if pod.idle >= 0.01 else ""


def _whose(owner: str | None, known: dict[str, Person]) -> str:
    """By name: a mention in a table would call people who have nothing to do."""
    if owner is None:
        return ""
    return f" of {word((known[owner].name if owner in known else None) or owner)}"
