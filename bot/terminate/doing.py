"""The clicks: *Terminate*, *Stop*, *Leave it*, *Undo*."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session

from bot.approvals.asked import redraw_about
from bot.fleet.views import PodView, view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.standing import fingerprint_now
from bot.terminate.command import confirm, declined_if_paused, pod_by_id
from bot.terminate.confirmation import Act, Confirmation, recall
from bot.terminate.rights import AsAdmin, AsOwner, No, Right, right_to_end, right_to_stop
from bot.text import Shown, actions, button, section, word
from jobs.executor.requesting import warning_of
from jobs.house import House
from pods.guards import Path
from pods.permission import ADMIN_WARNING
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.deed import Deed, deed, intend, undo
from storage.outbox import Letter, send
from storage.trail import Event, record

CHANGED = "The pod has changed since you were asked, so nothing was done. Please look again and say it anew."
NOT_YOURS = "This was shown to somebody else; nothing was done."


async def press_terminate(house: House, click: Click) -> None:
    """On a confirmation: end the pod after the pause for *Undo*. Below a pod: show the confirmation."""
    await _press(house, click, Act.END)


async def press_stop(house: House, click: Click) -> None:
    """The same, for a stop."""
    await _press(house, click, Act.STOP)


async def press_leave(house: House, click: Click) -> None:
    """Nothing happens."""
    await answer(house, click, "Left as it is.", replace=True)


async def press_undo(house: House, click: Click) -> None:
    """Call it off while it has not begun."""
    now = house.clock.now()

    def work(session: Session) -> str:
        found = deed(session, click.value or "")
        if found is None:
            raise Declined("I know of no such act; nothing was changed.")
        if click.user not in {found.actor, found.owner} and click.user not in house.admins:
            raise Declined("Only whoever asked for it, its owner or an admin can undo this.")
        if not undo(session, found.id, now, click.user):
            return "It is called off already." if found.state == "undone" else "Too late: it has begun."
        record(session, Event(now, click.user, "deed.undone", found.pod_id, {"deed": found.id}))
        redraw_about(session, found.pod_id, now)
        return "Undone: nothing happens to the pod."

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, click, told, replace=True)


async def _press(house: House, click: Click, act: Act) -> None:
    shown = await house.db.read(lambda session: recall(session, click.value or ""))
    if shown is None:
        pod = await pod_by_id(house, click.value or "")
        return await confirm(house, click, act, pod, None)
    if shown.shown_to != click.user or shown.act is not act:
        raise Declined(NOT_YOURS)
    await declined_if_paused(house)
    told = await house.db.run(lambda session: _intend(session, house, shown))
    house.wakes.wake("executor")
    house.wakes.wake("outbox")
    return await answer(house, click, told.text, told.blocks, replace=True)


def _intend(session: Session, house: House, shown: Confirmation) -> Shown:
    """The deed's id is the confirmation's: one confirmation is one deed, however often it is clicked."""
    now = house.clock.now()
    done = deed(session, shown.id)
    pod = view(session, shown.pod_id, now, house.policy.claim_settle)
    if pod is None:
        raise Declined(CHANGED)
    if done is not None:
        return _told(done, pod, house)
    is_admin = shown.shown_to in house.admins
    right = (
        right_to_end(pod, shown.shown_to, is_admin=is_admin, reason=shown.reason)
        if shown.act is Act.END
        else right_to_stop(pod, shown.shown_to)
    )
    if isinstance(right, No):
        raise Declined(right.sentence)
    if fingerprint_now(session, shown.pod_id, pod.whose) != shown.fingerprint:
        raise Declined(CHANGED)
    new = _deed(house, shown, pod, _path(shown.act, right))
    new = _warned(session, house, new) if new.path == Path.ADMIN else new
    if not intend(session, new):
        raise Declined(f"*{word(pod.name)}* is being ended or stopped already.")
    told: JsonObject = {"deed": new.id, "path": new.path, "reason": new.reason}
    record(session, Event(now, new.actor, "deed.intended", new.pod_id, told))
    return _told(new, pod, house)


def _path(act: Act, right: Right) -> Path:
    match right:
        case AsOwner():
            return Path.OWNER if act is Act.END else Path.STOP
        case AsAdmin():
            return Path.ADMIN
        case _:
            raise Declined(CHANGED)


def _deed(house: House, shown: Confirmation, pod: PodView, path: Path) -> Deed:
    now = house.clock.now()
    begins = now + (ADMIN_WARNING if path is Path.ADMIN else house.answers.undo)
    return Deed(
        id=shown.id,
        path=path,
        pod_id=pod.pod_id,
        fingerprint=shown.fingerprint,
        actor=shown.shown_to,
        created_at=now,
        not_before=begins,
        due_at=begins,
        owner=pod.owner,
        provision_id=pod.whose.provision,
        reason=shown.reason,
        evidence={"shown": True, "grade": pod.whose.grade, "kept": pod.keeps.covers(now)},
        start_by=begins + house.answers.execute_by,
        usd_per_hour=pod.usd_per_hour,
    )


def _warned(session: Session, house: House, new: Deed) -> Deed:
    """The owner is told first; `warning` in the evidence is the message whose delivery starts the clock."""
    letter = Letter(warning_of(new.id), str(new.owner), "admin_ends", {"deed": new.id}, urgent=True)
    warning = send(session, letter, house.clock.now())
    return replace(new, evidence={**new.evidence, "warning": warning})


def _told(done: Deed, pod: PodView, house: House) -> Shown:
    verb = "stops" if done.path == Path.STOP else "ends"
    left = max(done.not_before - house.clock.now(), timedelta(0))
    soon = f"in {span_in_words(left)}" if left else "now"
    text = f"*{word(pod.name)}* {verb} {soon}."
    return Shown(text, [section(text), actions(button("Undo", "deed_undo", done.id))])
