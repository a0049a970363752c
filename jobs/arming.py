"""What admins allow and forbid: arming a job after seeing what it would do, disarming, pausing everything.

Each change is in the trail and is announced, with who did it. Nothing is refused that makes less happen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sqlmodel import Session

from jobs.house import House
from jobs.judgement.loading import load
from jobs.judgement.records import NOTICE
from jobs.questions import ABOUT_A_STATE, set_aside
from pods.guards import Job
from pods.plan import Judged, Plan, make_plan
from pods.verdict import Reap, Reason
from storage.columns import JsonObject
from storage.keys import new_key
from storage.outbox import Letter, send
from storage.question import open_questions
from storage.question_group import redraw_copies
from storage.switch import Switch, is_on, set_switch
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from storage.trail import Event, record

SWITCHES = {Job.NEVER_RAN: ARMED_NEVER_RAN, Job.STALE: ARMED_STALE}
_REASONS = {
    Job.NEVER_RAN: frozenset({Reason.NEVER_RAN, Reason.NEVER_RAN_KEPT}),
    Job.STALE: frozenset({Reason.STALE}),
}


class Why(StrEnum):
    """Why a switch was not set."""

    NOT_ADMIN = "not_admin"
    DOCTOR = "doctor"
    """A check of the doctor fails."""
    LISTING_INCOMPLETE = "listing_incomplete"
    """The last listing could not be seen whole, so what arming would do is not known."""
    ALREADY = "already"


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed. `failing`: the doctor's checks that fail, if those are why."""

    why: Why
    failing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What arming a job would do now, by the plan that would then be carried out."""

    job: Job
    complete: bool
    plan: Plan
    ends: tuple[Judged, ...]
    """Ended at once."""
    notices: tuple[Judged, ...]
    """Their owners are told at the next audit that they end."""
    held: tuple[Judged, ...]
    """A limit, a pause or a notice that runs holds these."""

    @property
    def would(self) -> str:
        """What it would do, to be held against what somebody was shown."""
        acts = (("end", self.ends), ("tell", self.notices))
        return ", ".join(sorted(f"{act} {one.facts.pod_id}" for act, pods in acts for one in pods))


def preview(session: Session, house: House, job: Job) -> Preview:
    """Judge everything as if the job were armed. Writes nothing."""
    loaded = load(session, house.clock.now(), house.policy)
    armed = (
        replace(loaded.pass_, armed_never_ran=True)
        if job is Job.NEVER_RAN
        else replace(loaded.pass_, armed_stale=True)
    )
    plan = make_plan(loaded.pods, armed, loaded.spent)
    reaps = [
        one for one in plan.judged if isinstance(one.verdict, Reap) and one.verdict.reason in _REASONS[job]
    ]
    ends, told = frozenset(plan.ends), frozenset(plan.stale_notices)
    return Preview(
        job=job,
        complete=armed.listing_complete,
        plan=plan,
        ends=tuple(one for one in reaps if one.facts.pod_id in ends),
        notices=tuple(one for one in reaps if one.facts.pod_id in told),
        held=tuple(one for one in reaps if one.facts.pod_id not in ends | told),
    )


def arm(session: Session, house: House, job: Job, by: str, failing: Sequence[str]) -> Preview | Refused:
    """Allow a job to act by itself. `failing`: the doctor's checks that fail now, skipped ones left out."""
    if by not in house.admins:
        return Refused(Why.NOT_ADMIN)
    if is_on(session, SWITCHES[job]):
        return Refused(Why.ALREADY)
    if failing:
        return Refused(Why.DOCTOR, tuple(failing))
    shown = preview(session, house, job)
    if not shown.complete:
        return Refused(Why.LISTING_INCOMPLETE)
    _set(
        session,
        house,
        SWITCHES[job],
        "on",
        by,
        {"would_end": len(shown.ends), "would_tell": len(shown.notices)},
    )
    house.wakes.wake("judge")
    return shown


def disarm(session: Session, house: House, job: Job, by: str) -> Refused | None:
    """Let a job do nothing by itself from now on. Ends that it has announced are announced anew if it is ever
    armed again: meanwhile their owners are told that nothing happens."""
    refused = _turn(session, house, SWITCHES[job], "off", by)
    if refused is None and job is Job.STALE:
        announced = (one for one in open_questions(session, kind=NOTICE) if one.reason == Reason.STALE)
        set_aside(session, announced, "an admin has disarmed that", house.clock.now())
    return refused


def pause(session: Session, house: House, by: str) -> Refused | None:
    """Let nothing at all be destroyed from now on."""
    return _turn(session, house, PAUSED, "on", by)


def unpause(session: Session, house: House, by: str) -> Refused | None:
    """Let go on what a pause holds; what was put off is looked at first."""
    refused = _turn(session, house, PAUSED, "off", by)
    if refused is None:
        house.wakes.wake("executor")
        house.wakes.wake("judge")
    return refused


def _turn(session: Session, house: House, switch: str, value: str, by: str) -> Refused | None:
    if by not in house.admins:
        return Refused(Why.NOT_ADMIN)
    if is_on(session, switch) is (value == "on"):
        return Refused(Why.ALREADY)
    _set(session, house, switch, value, by, {})
    return None


def _set(session: Session, house: House, switch: str, value: str, by: str, seen: JsonObject) -> None:
    now = house.clock.now()
    set_switch(session, Switch(switch, value, by, now))
    record(session, Event(now, by, f"switch.{value}", switch, seen))
    for asked in open_questions(session):
        if asked.kind in ABOUT_A_STATE:
            # What happens without an answer stands on it, and has just changed.
            redraw_copies(session, asked, now)
    refs: JsonObject = {"switch": switch, "value": value, "by": by}
    send(session, Letter(f"switch/{new_key()}", house.ops_channel, "switch_set", refs, urgent=True), now)
    house.wakes.wake("outbox")
