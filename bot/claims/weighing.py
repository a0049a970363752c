"""*Not theirs* and *Confirm* below an announced claim; *Confirm* below a wish to take over."""

from sqlmodel import Session

from bot.approvals.asked import redraw_about
from bot.claims.announcement import decision_for
from bot.claims.giving import accept_offer, declined_if_back
from bot.claims.people import must_be_member
from bot.fleet.views import PodView, view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.text import mention, word
from jobs.house import House
from pods.ids import PodId, UserId
from pods.ownership import Claim, Confirmation, Grade, Objection, Ruling, Statement
from storage.claim import hand_over, say, statement, statements
from storage.columns import JsonObject
from storage.outbox import Letter, send
from storage.trail import Event, record

NOT_ON_RECORD = "This claim is not on record. Nothing was done."


async def press_object(house: House, click: Click) -> None:
    """*Not theirs*: the claim gives no right to end any more until an admin confirms it."""
    await must_be_member(house, click.user)
    told = await house.db.run(lambda session: _object(session, house, click))
    house.wakes.wake("outbox")
    await answer(house, click, told)


def _object(session: Session, house: House, click: Click) -> str:
    now, user = house.clock.now(), click.user
    claimed = _claim(session, click.value)
    pod = _pod(session, house, claimed.pod_id)
    name, owner = f"*{word(pod.name)}*", claimed.owner
    if owner == user:
        raise Declined(f"That is your own claim; `/pod unclaim {pod.pod_id}` takes it back.")
    if owner not in pod.whose.claimants:
        return f"{mention(owner)} does not say any more that {name} is theirs."
    others = [each for each in pod.whose.claimants if each != owner]
    if user in house.admins and user not in pod.whose.claimants and len(others) == 1:
        return _rule(session, click, pod, others[0])
    about = statements(session, pod.pod_id).get(PodId(pod.pod_id), [])
    if decided := decision_for(about, owner):
        by = "You have" if decided.by == user else f"{mention(decided.by)} has"
        raise Declined(f"{by} decided already that {name} is {mention(owner)}'s. Nothing was changed.")
    if any(isinstance(one, Objection) and (one.owner, one.by) == (owner, user) for one in about):
        return f"You have said already that {name} is not {mention(owner)}'s."
    if pod.whose.in_ledger and pod.whose.created_for == owner:
        raise Declined(f"I rented {name} for {mention(owner)}; there is nothing to object to.")
    say(session, Objection(PodId(pod.pod_id), owner, UserId(user), now))
    facts: JsonObject = {"owner": owner, "claim": click.value, "click": click.key}
    record(session, Event(now, user, "claim.objected", pod.pod_id, facts))
    refs: JsonObject = {"pod": pod.pod_id, "by": user}
    send(session, Letter(f"objected {click.value} {user}", owner, "claim_objected", refs), now)
    redraw_about(session, pod.pod_id, now)
    return f"Noted. {mention(owner)} cannot end {name} before an admin confirms that it is theirs."


def _rule(session: Session, click: Click, pod: PodView, owner: UserId) -> str:
    """An admin who is no party says that one side of a conflict is wrong: that decides for the other."""
    now, admin = click.at, UserId(click.user)
    say(session, Ruling(PodId(pod.pod_id), owner, admin, now))
    facts: JsonObject = {"owner": owner, "claim": click.value, "click": click.key}
    record(session, Event(now, admin, "claim.ruled", pod.pod_id, facts))
    redraw_about(session, pod.pod_id, now)
    return f"Decided: *{word(pod.name)}* is {mention(owner)}'s."


async def press_confirm(house: House, click: Click) -> None:
    """*Confirm*, by an admin who is no party: a claim, a side of a conflict, a wish to take over."""
    if click.user not in house.admins:
        raise Declined("Only an admin can confirm this. Nothing was done.")
    await declined_if_back(house, click.value)
    told = await house.db.run(lambda session: _confirm(session, house, click))
    house.wakes.wake("outbox")
    await answer(house, click, told)


def _confirm(session: Session, house: House, click: Click) -> str:
    now, admin = house.clock.now(), UserId(click.user)
    offered = hand_over(session, click.value or "")
    if offered is not None:
        return accept_offer(session, house, offered, click)
    claimed = _claim(session, click.value)
    pod = _pod(session, house, claimed.pod_id)
    name, owner = f"*{word(pod.name)}*", claimed.owner
    if admin in pod.whose.claimants:
        raise Declined(f"You say yourself that {name} is yours, so another admin has to decide.")
    if owner not in pod.whose.claimants:
        raise Declined(f"{mention(owner)} does not say any more that {name} is theirs. Nothing was done.")
    in_conflict = pod.whose.grade is Grade.CONFLICTING
    if not in_conflict and pod.whose.may_end:
        return f"{name} is {mention(owner)}'s already, with every right."
    said: Statement = (
        Ruling(PodId(pod.pod_id), owner, admin, now)
        if in_conflict
        else Confirmation(PodId(pod.pod_id), owner, admin, now)
    )
    say(session, said)
    what = "claim.ruled" if in_conflict else "claim.confirmed"
    facts: JsonObject = {"owner": owner, "claim": click.value, "click": click.key}
    record(session, Event(now, admin, what, pod.pod_id, facts))
    redraw_about(session, pod.pod_id, now)
    return f"{name} is {mention(owner)}'s from now on, with the right to end it."


def _claim(session: Session, claim_id: str | None) -> Claim:
    found = statement(session, claim_id or "")
    if not isinstance(found, Claim):
        raise Declined(NOT_ON_RECORD)
    return found


def _pod(session: Session, house: House, pod_id: str) -> PodView:
    pod = view(session, pod_id, house.clock.now(), house.policy.claim_settle)
    if pod is None:
        raise Declined("I have not seen this pod in a list yet. Nothing was done.")
    if pod.gone_at is not None:
        raise Declined(f"*{word(pod.name)}* is gone; it is nobody's any more.")
    return pod
