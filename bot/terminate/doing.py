"""The clicks: *Terminate*, *Stop*, *Leave it*, *Undo*."""

from datetime import datetime, timedelta
from typing import assert_never

from sqlmodel import Session

from bot.approvals.asked import redraw_about
from bot.approvals.decision import Act as Decision
from bot.approvals.decision import Wish
from bot.approvals.elsewhere import answered
from bot.fleet.views import PodView, view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.standing import fingerprint_now
from bot.terminate.command import confirm, declined_if_paused, pod_by_id
from bot.terminate.confirmation import Act, Confirmation, recall
from bot.terminate.rights import AsAdmin, AskOwner, AsOwner, No, Right, right_to_end, right_to_stop
from bot.text import Shown, actions, button, mention, section, word
from jobs.executor.requesting import Wanted, request_deed, undo
from jobs.house import House
from pods.guards import Path
from pods.permission import ADMIN_WARNING
from pods.words import span_in_words
from storage.deed import Deed, DeedState, deed

_DECISIONS = {Act.END: Decision.END, Act.STOP: Decision.STOP}
UNDONE = "Undone: nothing happens to the pod."
NOT_YOURS = "This was shown to somebody else; nothing was done."


async def press_terminate(house: House, click: Click) -> None:
    """On a confirmation: end the pod after the pause for *Undo*. Below a pod: show the confirmation."""
    await _press(house, click, Act.END)


async def press_stop(house: House, click: Click) -> None:
    """The same, for a stop."""
    await _press(house, click, Act.STOP)


async def press_leave(house: House, click: Click) -> None:
    """Nothing happens. Whoever has pressed the other button first means this one, while it can be undone."""
    told = await house.db.run(lambda session: _left(session, house, click))
    house.wakes.wake("outbox")
    await answer(house, click, told.text, told.blocks, replace=True)


async def press_undo(house: House, click: Click) -> None:
    """Call it off while it has not begun."""
    now = house.clock.now()

    def work(session: Session) -> str:
        found = deed(session, click.value or "")
        if found is None:
            raise Declined("I know of no such act; nothing was changed.")
        if click.user not in {found.actor, found.owner} and click.user not in house.admins:
            raise Declined("Only whoever asked for it, its owner or an admin can undo this.")
        if not _undone(session, found, click.user, now):
            return "It is called off already." if found.state == "undone" else "Too late: it has begun."
        return UNDONE

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, click, told, replace=True)


def _undone(session: Session, done: Deed, by: str, now: datetime) -> bool:
    undone = undo(session, done.id, by, now)
    if undone:
        redraw_about(session, done.pod_id, now)
    return undone


def _left(session: Session, house: House, click: Click) -> Shown:
    now = house.clock.now()
    done = deed(session, click.value or "")
    pod = view(session, done.pod_id, now, house.policy.claim_settle) if done else None
    if done is None or pod is None:
        return Shown("Left as it is.", [])
    if done.actor != click.user:
        raise Declined(NOT_YOURS)
    if _undone(session, done, click.user, now):
        return Shown(UNDONE, [section(UNDONE)])
    return _told(done, pod, house)


async def _press(house: House, click: Click, act: Act) -> None:
    shown = await house.db.read(lambda session: recall(session, click.value or ""))
    if shown is None:
        pod = await pod_by_id(house, click.value or "")
        return await confirm(house, click, act, pod, None)
    if shown.shown_to != click.user or shown.act is not act:
        raise Declined(NOT_YOURS)
    await declined_if_paused(house)
    told = await house.db.run(lambda session: _intend(session, house, click, shown))
    if told is None:
        pod = await pod_by_id(house, shown.pod_id)
        return await confirm(house, click, act, pod, shown.reason, changed=True)
    house.wakes.wake("executor")
    house.wakes.wake("outbox")
    return await answer(house, click, told.text, told.blocks, replace=True)


def _intend(session: Session, house: House, click: Click, shown: Confirmation) -> Shown | None:
    """The deed's id is the confirmation's: one confirmation is one deed, however often it is clicked.

    None: the pod is not any more as it was shown.
    """
    now = house.clock.now()
    done = deed(session, shown.id)
    pod = view(session, shown.pod_id, now, house.policy.claim_settle)
    if pod is None:
        return None
    if done is not None:
        return _told(done, pod, house)
    is_admin = shown.shown_to in house.admins
    right = (
        right_to_end(pod, shown.shown_to, is_admin=is_admin, reason=shown.reason)
        if shown.act is Act.END
        else right_to_stop(pod, shown.shown_to)
    )
    path = _path(shown.act, right)
    same = fingerprint_now(session, shown.pod_id, pod.whose) == shown.fingerprint
    if not same or (kept := pod.keeps.cover(now)) not in (None, shown.kept):
        return None
    wanted = Wanted(
        path=path,
        pod_id=shown.pod_id,
        actor=shown.shown_to,
        reason=shown.reason,
        fingerprint=shown.fingerprint,
        shown=True,
        key=shown.id,
        evidence={"kept": kept},
    )
    new = request_deed(session, house, wanted)
    if new.id != shown.id:
        raise Declined(f"*{word(pod.name)}* is being ended or stopped already.")
    wish = Wish(_DECISIONS[shown.act], reason=shown.reason)
    answered(session, house, click, pod, wish, wish.act, new.id)
    return _told(new, pod, house)


def _path(act: Act, right: Right) -> Path:
    match right:
        case AsOwner():
            return Path.OWNER if act is Act.END else Path.STOP
        case AsAdmin():
            return Path.ADMIN
        case AskOwner(owner):
            raise Declined(f"It is {mention(owner)}'s by now, so nothing was done.")
        case No(sentence):
            raise Declined(sentence)
        case _:
            assert_never(right)


def _told(done: Deed, pod: PodView, house: House) -> Shown:
    """What has become of it."""
    name, ended = word(pod.name), "stopped" if done.path == Path.STOP else "ended"
    match DeedState(done.state):
        case DeedState.DUE:
            return _soon(done, pod, house)
        case DeedState.ACTING | DeedState.CONFIRMING:
            text = f"*{name}* is being {ended} now."
        case DeedState.DONE:
            text = f"*{name}* has been {ended}."
        case DeedState.UNDONE:
            text = (
                f"This was undone, so nothing happens to *{name}*. Type the command again to be asked anew."
            )
        case DeedState.REFUSED | DeedState.FAILED:
            text = f"*{name}* was not {ended}: {done.outcome}."
        case unknown:
            assert_never(unknown)
    return Shown(text, [section(text)])


def _soon(done: Deed, pod: PodView, house: House) -> Shown:
    verb = "stops" if done.path == Path.STOP else "ends"
    left = max(done.not_before - house.clock.now(), timedelta(0))
    soon = f"in {span_in_words(left)}" if left else "now"
    if done.path == Path.ADMIN and done.owner:
        soon = f"{span_in_words(ADMIN_WARNING)} after {mention(done.owner)} was told"
    text = f"*{word(pod.name)}* {verb} {soon}."
    return Shown(text, [section(text), actions(button("Undo", "deed_undo", done.id))])
