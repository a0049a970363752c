"""What a decision sets going: a keep, a deed, a statement. All in the transaction of the decision."""

from datetime import datetime, timedelta
from typing import assert_never

from sqlmodel import Session

from bot.approvals.asked import Asked
from bot.approvals.decision import Act, Wish
from bot.fleet.views import PodView
from bot.keep.giving import keep_pod
from bot.slack.heard import Answerable
from bot.text import Shown, actions, button, mention, section, when, word
from jobs.executor.requesting import Wanted, request_deed
from jobs.house import House
from pods.guards import Path
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource, Withdrawal
from pods.words import span_in_words
from storage.claim import say
from storage.columns import JsonObject
from storage.deed import STOP
from storage.keys import key_from
from storage.provision_asks import note_decided
from storage.question import Question, note_outcome
from storage.trail import Event, record

ONE_DAY = timedelta(days=1)


def apply(
    session: Session, house: House, to: Answerable, about: Asked, wish: Wish, *, as_admin: bool
) -> Shown:
    """Write what follows from the decision. Returns what the person is told."""
    now = house.clock.now()
    note_left_alive(session, about.question, about.pod, wish, to.user, now)
    match wish.act:
        case Act.KEEP:
            return _keep(session, house, to.user, about, wish.lasting or ONE_DAY)
        case Act.NOT_MINE:
            return _not_mine(session, to.user, about, now)
        case Act.STOP | Act.END:
            return _deed(session, house, to.user, about, wish, as_admin=as_admin)
        case _:
            assert_never(wish.act)


def note_left_alive(
    session: Session, found: Question, pod: PodView, wish: Wish, user: str, now: datetime
) -> None:
    """Somebody has decided that the pod of a failed launch stays. That it ends is decided once it has ended:
    until then an end can be undone, refused or fail, and the pod bills."""
    stays = wish.act in (Act.KEEP, Act.NOT_MINE)
    if stays and found.reason == "provision_failed" and pod.whose.provision:
        note_decided(session, pod.whose.provision, user, now)


def _keep(session: Session, house: House, user: str, about: Asked, lasting: timedelta) -> Shown:
    now, pod, found = house.clock.now(), about.pod, about.question
    until = now + lasting
    keep_pod(session, pod, f"yes {found.id}", user, until, None, now, is_admin=user in house.admins)
    if found.reason == "moved_or_copied" and pod.owner == user:
        say(session, Claim(PodId(pod.pod_id), UserId(user), now, ClaimSource.PERSON))
    note_outcome(session, found.id, until.isoformat())
    return Shown(f"*{word(pod.name)}* is kept until {when(until)}.")


def _not_mine(session: Session, user: str, about: Asked, now: datetime) -> Shown:
    pod = about.pod
    statement = say(session, Withdrawal(PodId(pod.pod_id), UserId(user), now))
    facts: JsonObject = {"owner": user, "statement": statement, "question": about.question.id}
    record(session, Event(now, user, "pod.unclaimed", pod.pod_id, facts))
    name = f"*{word(pod.name)}*"
    if pod.whose.in_ledger:
        text = (
            f"I rented {name} for {mention(str(pod.whose.created_for))}, so it stays with them until "
            f"somebody else takes it: `/pod give {pod.pod_id} @somebody`."
        )
        return Shown(text)
    text = f"{name} is not yours any more. Do you know whose it is? I ask them."
    return Shown(text, [section(text), {**actions(whose_select()), "block_id": pod.pod_id}])


def whose_select() -> dict[str, object]:
    """Whom to ask. Nobody is preselected."""
    placeholder = {"type": "plain_text", "text": "Somebody…"}
    return {"type": "users_select", "action_id": "claim_ask", "placeholder": placeholder}


def _deed(session: Session, house: House, user: str, about: Asked, wish: Wish, *, as_admin: bool) -> Shown:
    """One question is one deed, however often it is pressed."""
    pod, found, now = about.pod, about.question, house.clock.now()
    wanted = Wanted(
        path=STOP if wish.act is Act.STOP else Path.ADMIN if as_admin else Path.OWNER,
        pod_id=pod.pod_id,
        actor=user,
        reason=wish.reason,
        fingerprint=found.fingerprint,
        shown=True,
        question_id=found.id,
        provision_id=pod.whose.provision,
        key=key_from(f"yes {found.id}"),
        evidence={"kept": pod.keeps.cover(now)},
    )
    new = request_deed(session, house, wanted)
    name = f"*{word(pod.name)}*"
    if new.id != wanted.key:
        note_outcome(session, found.id, "something else is under way already", new.id)
        return Shown(f"{name} is being ended or stopped already.")
    note_outcome(session, found.id, wish.act, new.id)
    if as_admin:
        text = f"I tell {mention(str(pod.owner))} now; {name} ends 15 minutes after that, if nothing changes."
    else:
        text = (
            f"{name} {'stops' if wish.act is Act.STOP else 'ends'} in {span_in_words(new.not_before - now)}."
        )
    return Shown(text, [section(text), actions(button("Undo", "deed_undo", new.id))])
