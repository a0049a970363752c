"""The guards, read on fresh facts, in the same transaction as the intent that they let through."""

from datetime import datetime

from sqlmodel import Session

from jobs.executor.cards import put_to_owner
from jobs.executor.ending import close
from jobs.executor.evidence import attempt_of, evidence_in
from jobs.executor.facts import standing_now
from jobs.executor.last_look import LastLook
from jobs.executor.pauses import HELD_LOOK, later, look_pause, retry_pause
from jobs.executor.words import ANOTHER_STATE, NO_SUCH_PATH, SIGN_OF_LIFE, UNREACHABLE, WORDS
from jobs.house import House
from pods.guards import BY_CLOCK, Need, Path
from pods.permission import Allowed, Instead, Refusal, Refused, allowed
from pods.snapshot import Snapshot
from storage.columns import JsonObject
from storage.deed import Deed, DeedState
from storage.deed_work import let_go, write
from storage.history import saw_life
from storage.keep import lift_keeps
from storage.trail import Event, record

PASSING = frozenset({*BY_CLOCK, Refusal.PAUSED, Refusal.DISARMED})
"""What shuts a path for a while. An end that has begun waits for it to open."""
CHANGE_SETTLES = retry_pause(99)
"""A pod that is being ended may show another state for so long without being another matter."""


def decide(
    session: Session, house: House, taken: Deed, seen: Snapshot, look: LastLook, now: datetime
) -> Deed | None:
    """The deed with its attempt written down, to be made at once; None: not now, or not at all."""
    for sign in look.signs:
        saw_life(session, taken.pod_id, sign, now)
    path = _path(taken)
    if path is None:
        close(session, house, taken, DeedState.REFUSED, now, NO_SUCH_PATH)
        return None
    pod = standing_now(session, taken, seen, now, house.policy)
    attempt = attempt_of(session, house, taken, path, pod, seen, look, now)
    evidence = evidence_in(attempt, pod)
    match allowed(path, attempt):
        case Allowed(lifts_keep=lifts_keep):
            return _begin(session, house, taken, now, evidence, lifts_keep=lifts_keep)
        case Refused() as refused:
            _shut(session, house, taken, refused, look, now, evidence)
            return None


def _path(deed: Deed) -> Path | None:
    """The row of the guard table."""
    return Path(deed.path) if deed.path in list(Path) else None


def _begin(
    session: Session, house: House, taken: Deed, now: datetime, evidence: JsonObject, *, lifts_keep: bool
) -> Deed | None:
    attempts = taken.attempts + 1
    begun = write(
        session,
        taken,
        state=DeedState.ACTING,
        attempts=attempts,
        attempted_at=taken.attempted_at or now,
        answer_status=None,
        read_back_status=None,
        due_at=later(house, retry_pause(attempts), now),
    )
    if begun is None:
        return None
    if lifts_keep:
        lift_keeps(session, taken.pod_id, taken.actor, now)
    told: JsonObject = {"deed": taken.id, "path": taken.path, "attempt": attempts, "lifts_keep": lifts_keep}
    record(session, Event(now, taken.actor, "deed.attempted", taken.pod_id, {**told, **evidence}))
    return begun


def _shut(
    session: Session,
    house: House,
    taken: Deed,
    refused: Refused,
    look: LastLook,
    now: datetime,
    evidence: JsonObject,
) -> None:
    because = refused.because
    if refused.instead is Instead.LATER or (taken.attempts and because in PASSING):
        let_go(session, taken, later(house, HELD_LOOK, now))
        return
    why = _why(because, look)
    evidence = {**evidence, "guard": because.value}
    if not taken.attempts:
        refusal = close(session, house, taken, DeedState.REFUSED, now, why, evidence)
        if refusal is not None and refused.instead is Instead.CARD and taken.path == Path.AGENT:
            put_to_owner(session, house, refusal, why, now)
    elif because is Need.FINGERPRINT_UNCHANGED and _lately(house, taken, now):
        let_go(session, taken, later(house, look_pause(taken, now, house.clock.rate), now))
    else:
        changed = because is Need.FINGERPRINT_UNCHANGED
        close(session, house, taken, DeedState.FAILED, now, ANOTHER_STATE if changed else why, evidence)


def _lately(house: House, taken: Deed, now: datetime) -> bool:
    since = taken.answered_at or taken.attempted_at or now
    return now - since < CHANGE_SETTLES * house.clock.rate


def _why(because: Need | Refusal, look: LastLook) -> str:
    if because is Need.NEVER_REACHED and look.banner:
        return SIGN_OF_LIFE
    if because is Need.NEVER_REACHED and look.timed_out:
        return UNREACHABLE
    return WORDS[because]
