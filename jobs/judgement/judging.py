"""Judge everything once. The plan that is shown is the plan that is carried out: one object, one path."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from sqlmodel import Session

from jobs.house import House
from jobs.judgement.garbage import none_collected
from jobs.judgement.loading import Loaded, load
from pods.plan import Judged, Plan, make_plan
from pods.verdict import Ask, CannotTell, Held, Keep, Reap, Verdict
from storage.columns import JsonObject
from storage.trail import Event, record
from storage.verdict import Codes, CurrentVerdict, forget_verdicts, last_said, put_verdicts


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a pass loaded and what it came to."""

    loaded: Loaded
    plan: Plan


@none_collected()
def judged_now(session: Session, house: House) -> Judgement:
    """Judge the fleet as it is. Writes nothing, so that anybody may ask at any time."""
    loaded = load(session, house.clock.now(), house.policy)
    return Judgement(loaded, make_plan(loaded.pods, loaded.pass_, loaded.spent))


def write_changes(session: Session, plan: Plan) -> int:
    """Record every verdict that differs from the last one, also to keep. Returns how many did."""
    last = last_said(session)
    said = zip(plan.pods, plan.verdicts, strict=True)
    changed = [Judged(pod, verdict) for pod, verdict in said if last.get(pod.pod_id) != _codes(verdict)]
    put_verdicts(session, (_current(one, plan) for one in changed))
    if changed:
        record(session, *_events(changed, last, plan))
    forget_verdicts(session, last.keys() - {pod.pod_id for pod in plan.pods})
    return len(changed)


def code_of(verdict: Verdict) -> str:
    """The verdict's name in the contract (`audit --json`)."""
    match verdict:
        case Keep():
            return "keep"
        case Ask():
            return "ask"
        case Reap():
            return "reap"
        case CannotTell():
            return "cannot_tell"
        case _:
            assert_never(verdict)


def held_of(verdict: Verdict) -> Held | None:
    """What keeps a reap from happening."""
    return verdict.held if isinstance(verdict, Reap) else None


def _codes(verdict: Verdict) -> Codes:
    return code_of(verdict), verdict.reason, held_of(verdict)


def _current(one: Judged, plan: Plan) -> CurrentVerdict:
    return CurrentVerdict(one.facts.pod_id, *_codes(one.verdict), plan.at)


def _events(changed: Iterable[Judged], last: Mapping[str, Codes], plan: Plan) -> Iterator[Event]:
    for one in changed:
        verdict, reason, held = _codes(one.verdict)
        before = last.get(one.facts.pod_id)
        yield Event(
            plan.at,
            "podkeeper",
            "verdict.changed",
            one.facts.pod_id,
            {
                "verdict": verdict,
                "reason": reason,
                "held": held,
                "rule": one.verdict.rule,
                "before": f"{before[0]} {before[1]}" if before else None,
                "evidence": _evidence(one),
            },
        )


def _evidence(one: Judged) -> JsonObject:
    """The facts as seen, short: enough to follow the decision later."""
    facts = one.facts
    return {
        "phase": facts.phase,
        "grade": facts.grade,
        "owner": facts.owner,
        "has_run": facts.has_run,
        "counting": facts.counting,
        "watched_from_birth": facts.watched_from_birth,
        "exited_since": facts.exited_since.isoformat() if facts.exited_since else None,
        "kept_until": facts.kept_until.isoformat() if facts.kept_until else None,
    }
