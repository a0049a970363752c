"""One decision, written down: the row, what belongs to it, the trail, and what people are to be told.

All of it is one transaction, guarded by the fencing number: if somebody else has taken the provision in hand
since, nothing at all is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from jobs.house import House
from jobs.provision.effects import Answer
from jobs.provision.home import Home
from jobs.provision.rows import do_in_rows
from jobs.provision.telling import tell
from pods.fingerprint import Fingerprint
from pods.provision.decision import Decision, Finish, Wait
from pods.provision.events import can_retry
from pods.provision.outcomes import ENDINGS, Outcome, PodFate
from pods.provision.value import Provision
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord, write
from storage.log_file import is_wanted
from storage.place import avoid
from storage.provision_asks import forget_retry, free_name
from storage.trail import Event, record

BAD_PLACE_FOR = timedelta(days=1)
RETRY_WAITS_FOR = timedelta(minutes=5)
"""How long somebody's *Retry* waits for a look that shows the pod."""
_NO_POD = frozenset({PodFate.NONE, PodFate.TORN_DOWN})
_DID_NOT_COME_UP = frozenset({Outcome.NEVER_REACHED, Outcome.NEVER_REACHED_KEPT, Outcome.NOT_TERMINATED})


@dataclass(frozen=True, slots=True)
class Written:
    """A decision that stands in the database. `answer`: to an effect that is a row of ours."""

    decision: Decision
    answer: Answer | None = None


def write_decision(
    session: Session,
    house: House,
    taken: ProvisionRecord,
    before: Provision,
    decision: Decision,
    now: datetime,
    home: Home,
    fingerprints: Mapping[str, Fingerprint],
) -> Written | None:
    """Write it. None, and nothing is written, if another has taken the provision in hand since."""
    after = decision.provision
    wanted = is_wanted(session, after)
    due_at = _due_at(house, taken, decision, now, log_wanted=wanted)
    let_go = isinstance(decision.act, Wait) or (isinstance(decision.act, Finish) and not wanted)
    if not write(session, taken, after, now, due_at, stored=before, let_go=let_go):
        return None
    answer = do_in_rows(session, house, taken, decision, now, fingerprints)
    if answer is not None and "clean_up" in answer:
        house.wakes.wake("executor")
    if after.pod is not None and (after.pod != before.pod or after.stage is not before.stage):
        # What judges the pod, and its fence that may be near, is to know it as it is now.
        house.wakes.wake("observe")
    _note_end(session, before, after, now)
    if events := _events(before, after, now):
        record(session, *events)
    if tell(session, home, before, after, now):
        house.wakes.wake("outbox")
    return Written(decision, answer)


def _due_at(
    house: House, taken: ProvisionRecord, decision: Decision, now: datetime, *, log_wanted: bool
) -> datetime | None:
    match decision.act:
        case Wait(until=until, pause=pause):
            return until if pause is None else min(until, now + pause * house.clock.rate)
        case Finish() if log_wanted:
            return now
        case Finish():
            waits = taken.retry_at is not None and now < taken.retry_at + RETRY_WAITS_FOR
            return now + house.waits.poll if waits and can_retry(decision.provision) else None
        case _:
            return now


def _note_end(session: Session, before: Provision, after: Provision, now: datetime) -> None:
    if before.outcome is not None and after.outcome is None:
        forget_retry(session, after.id)
    if after.outcome is None or after.outcome is before.outcome:
        return
    if ENDINGS[after.outcome].pod in _NO_POD:
        free_name(session, after.id, now)
    pod = after.pod
    if after.outcome in _DID_NOT_COME_UP and pod is not None and pod.data_center is not None:
        avoid(session, pod.gpu, pod.data_center, now + BAD_PLACE_FOR, after.id)


def _events(before: Provision, after: Provision, now: datetime) -> list[Event]:
    """What the trail is told: create calls and their pods, stages, outcomes, lines."""
    told: list[tuple[str, JsonObject]] = []
    known = {call.number: call for call in before.calls}
    for call in after.calls:
        facts: JsonObject = {"call": call.number, "gpu": call.gpu, "state": call.state, "pod": call.pod_id}
        if call.number not in known:
            told.append(("provision.create_intended", facts))
        elif known[call.number].state is not call.state:
            told.append((f"provision.create_{call.state}", facts))
    if after.stage is not before.stage:
        told.append(("provision.stage", {"from": before.stage, "to": after.stage}))
    if after.outcome is not None and after.outcome is not before.outcome:
        ending = ENDINGS[after.outcome]
        told.append(("provision.ended", {"outcome": after.outcome, "exit_code": int(ending.exit_code)}))
    for said in after.lines[len(before.lines) :]:
        told.append(("provision.line", {"line": said.line}))
    return [Event(now, "podkeeper", kind, after.id, facts) for kind, facts in told]
