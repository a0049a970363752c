"""How a deed comes to be, for whoever wants a pod ended or stopped; and how it is called back."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from jobs.executor.facts import Standing, standing
from jobs.executor.telling import TOLD
from jobs.house import House
from pods.guards import Path
from pods.permission import ADMIN_WARNING
from storage.columns import JsonObject
from storage.deed import STOP, Deed, DeedState, deed, deeds_of, intend
from storage.deed import undo as call_back
from storage.deed_work import give_way
from storage.keys import new_key
from storage.outbox import Letter, send
from storage.trail import Event, record

WARNING = "admin_ends"
"""The kind of the message by which an owner hears that an admin will end a pod."""
BY_PERSONS = frozenset({Path.OWNER, Path.ADMIN, STOP})


class UnknownPodError(LookupError):
    """No listing has shown this pod and our ledger does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody wants done to a pod, and by which path of the guard table.

    `fingerprint`: the pod as it was shown to whoever decided; None: as it is now by the last listing.
    `key` makes a repeated request the same deed; without one each is a new deed.
    """

    path: str
    pod_id: str
    actor: str
    reason: str | None = None
    fingerprint: str | None = None
    shown: bool = False
    """Whoever decided has seen what the pod is and what is lost with it."""
    agent: str | None = None
    question_id: str | None = None
    provision_id: str | None = None
    key: str | None = None
    evidence: JsonObject | None = None


def request_deed(session: Session, house: House, wanted: Wanted) -> Deed:
    """Write the intent down. If an act on this pod is under way already, that one is returned instead.

    A person's own act can be undone for a while; it takes the place of another's that has not begun. Before
    an admin ends somebody's pod its owner is warned. Raises UnknownPodError.
    """
    now = house.clock.now()
    pod = standing(session, wanted.pod_id, now, house.policy)
    if pod is None:
        raise UnknownPodError(f"There is no pod with the id {wanted.pod_id}.")
    new = _deed(house, wanted, pod, now)
    if wanted.path in (Path.OWNER, STOP):
        _take_over(session, wanted.pod_id, new.id, now)
    if intend(session, new):
        if wanted.path == Path.ADMIN and new.owner is not None:
            send(session, Letter(warning_of(new.id), new.owner, WARNING, {"deed": new.id}, urgent=True), now)
        told: JsonObject = {"deed": new.id, "path": new.path, "reason": new.reason}
        record(session, Event(now, new.actor, "deed.intended", new.pod_id, told))
    house.wakes.wake("executor")
    return deed(session, new.id) or _under_way(session, wanted.pod_id)


def undo(session: Session, deed_id: str, by: str, now: datetime) -> bool:
    """Call it back. False if it has begun, or is over."""
    if not call_back(session, deed_id, now, by):
        return False
    undone = deed(session, deed_id)
    record(session, Event(now, by, "deed.undone", undone.pod_id if undone else deed_id, {"deed": deed_id}))
    if undone is not None and undone.path in BY_PERSONS and undone.actor != by:
        send(session, Letter(f"undone {deed_id}", undone.actor, TOLD, {"deed": deed_id}), now)
    return True


def warning_of(deed_id: str) -> str:
    """The name of the message that warns the owner."""
    return f"admin ends {deed_id}"


def _deed(house: House, wanted: Wanted, pod: Standing, now: datetime) -> Deed:
    by_person = wanted.path in BY_PERSONS
    not_before = now + house.answers.undo if by_person else now
    waits = ADMIN_WARNING * 2 if wanted.path == Path.ADMIN else house.answers.undo
    return Deed(
        id=wanted.key or new_key(),
        path=wanted.path,
        pod_id=wanted.pod_id,
        fingerprint=wanted.fingerprint or pod.fingerprint,
        actor=wanted.actor,
        created_at=now,
        not_before=not_before,
        due_at=not_before,
        owner=pod.whose.owner,
        agent=wanted.agent,
        question_id=wanted.question_id,
        provision_id=wanted.provision_id,
        reason=wanted.reason,
        evidence={**(wanted.evidence or {}), "shown": wanted.shown, "grade": pod.whose.grade},
        start_by=now + house.answers.execute_by + waits if by_person else None,
        usd_per_hour=pod.usd_per_hour,
    )


def _take_over(session: Session, pod_id: str, by_deed: str, now: datetime) -> None:
    waiting = [one for one in deeds_of(session, pod_id) if one.state is DeedState.DUE and one.id != by_deed]
    for one in waiting:
        if give_way(session, one.id, now, "another act took its place"):
            told: JsonObject = {"deed": one.id, "for": by_deed}
            record(session, Event(now, "podkeeper", "deed.gave_way", pod_id, told))


def _under_way(session: Session, pod_id: str) -> Deed:
    return next(one for one in deeds_of(session, pod_id) if one.finished_at is None)
