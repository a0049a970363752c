"""`/pod give POD @user`, *Accept*; *Take over* of pods whose owner has left."""

from sqlmodel import Session

from bot.approvals.asked import redraw_about
from bot.claims.announcing import announce
from bot.claims.people import must_be_member, receiver, who
from bot.fleet.naming import meant, the_pod
from bot.fleet.views import PodView, view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable, Click
from bot.table import Typed
from bot.text import mention, when, word
from jobs.house import House
from storage.claim import HandOver, accept, hand_over, offer
from storage.columns import JsonObject
from storage.keys import key_from
from storage.outbox import Letter, message_called, redraw, send
from storage.trail import Event, record

EXAMPLE = "`/pod give train-7b @somebody`"


async def run_give(house: House, typed: Typed) -> None:
    """Offer a pod to somebody, who has to accept it."""
    if len(typed.words) != 2 or not typed.words[1].startswith("@"):
        raise Declined(f"Say which pod and to whom, like {EXAMPLE}; choose them from Slack's list.")
    now, settle = house.clock.now(), house.policy.claim_settle
    typed_pod, to_whom = typed.words[0], typed.words[1].removeprefix("@")
    pod = the_pod(await house.db.read(lambda session: meant(session, typed_pod, now, settle)), typed_pod)
    giver = await _giver(house, typed, pod)
    await receiver(house, to_whom)
    if to_whom == giver:
        raise Declined(f"*{word(pod.name)}* is {mention(giver)}'s already. Nothing was done.")
    offered = HandOver(key_from(f"give {typed.key}"), pod.pod_id, giver, to_whom, typed.user, now)
    await house.db.run(lambda session: _offer(session, offered))
    house.wakes.wake("outbox")
    await answer(
        house, typed, f"I have asked {mention(to_whom)}. *{word(pod.name)}* is theirs once they accept it."
    )


async def _giver(house: House, typed: Typed, pod: PodView) -> str:
    """Whose pod is given: the typing person's, or of somebody who has left, by an admin."""
    name = f"*{word(pod.name)}*"
    if pod.gone_at is not None:
        raise Declined(f"{name} is gone since {when(pod.gone_at)}; there is nothing left to give.")
    if pod.owner is None:
        raise Declined(f"It is not settled whose {name} is, so nobody can give it away. Nothing was done.")
    if pod.owner == typed.user:
        return pod.owner
    if typed.user not in house.admins:
        raise Declined(f"{name} is {mention(pod.owner)}'s; only they can give it. Nothing was done.")
    if not (await who(house, pod.owner)).deactivated:
        raise Declined(f"{mention(pod.owner)} is still here, so only they can give {name}. Nothing was done.")
    return pod.owner


def _offer(session: Session, offered: HandOver) -> None:
    if not offer(session, offered):
        return
    refs: JsonObject = {"offer": offered.id}
    send(session, Letter(f"offer/{offered.id}", offered.receiver, "give_offered", refs), offered.at)
    facts: JsonObject = {"giver": offered.giver, "receiver": offered.receiver, "offer": offered.id}
    record(session, Event(offered.at, offered.offered_by, "pod.offered", offered.pod_id, facts))


async def press_accept(house: House, click: Click) -> None:
    """*Accept*: it is theirs from now on."""
    await must_be_member(house, click.user)
    await declined_if_back(house, click.value)

    def work(session: Session) -> str:
        offered = hand_over(session, click.value or "")
        if offered is None:
            raise Declined("This offer is not on record. Nothing was done.")
        if offered.receiver != click.user:
            raise Declined(f"This was offered to {mention(offered.receiver)}, not to you. Nothing was done.")
        return accept_offer(session, house, offered, click)

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, click, told)


async def declined_if_back(house: House, offer_id: str | None) -> None:
    """Raises Declined if somebody else offers a pod of a person who had left and is here again by now."""
    offered = await house.db.read(lambda session: hand_over(session, offer_id or ""))
    if offered is None or offered.accepted_at is not None or offered.offered_by == offered.giver:
        return
    if not (await who(house, offered.giver)).deactivated:
        raise Declined(
            f"{mention(offered.giver)} is here again, so only they can give this pod. Nothing was done."
        )


def accept_offer(session: Session, house: House, offered: HandOver, by: Answerable) -> str:
    """Carry it out, if the giver still has the pod. Raises Declined otherwise."""
    now = house.clock.now()
    pod = view(session, offered.pod_id, now, house.policy.claim_settle)
    if pod is None or pod.gone_at is not None:
        raise Declined("That pod is gone; there is nothing to hand over any more.")
    name = f"*{word(pod.name)}*"
    if offered.accepted_at is not None:
        return f"{name} is {mention(offered.receiver)}'s already."
    if by.user == offered.receiver and offered.offered_by == offered.receiver and by.user not in house.admins:
        raise Declined(f"An admin has to confirm that you take over {name}.")
    if pod.owner != offered.giver:
        raise Declined(f"{name} is not {mention(offered.giver)}'s any more, so it cannot be handed over.")
    accept(session, offered, now)
    facts: JsonObject = {"giver": offered.giver, "receiver": offered.receiver, "offer": offered.id}
    record(session, Event(now, by.user, "pod.given", offered.pod_id, facts))
    announce(session, house, f"given/{offered.id}", "pod_given", {"offer": offered.id, "by": by.user}, now)
    for shown in (f"offer/{offered.id}", f"take over/{offered.id}"):
        message = message_called(session, shown)
        if message is not None:
            redraw(session, message, now)
    redraw_about(session, offered.pod_id, now)
    return f"{name} is {mention(offered.receiver)}'s from now on."


async def press_take_over(house: House, click: Click) -> None:
    """*Take over*: an admin does so at once; for anybody else an admin has to confirm it."""
    await must_be_member(house, click.user)
    now, settle = house.clock.now(), house.policy.claim_settle
    pod = await house.db.read(lambda session: view(session, click.value or "", now, settle))
    if pod is None or pod.gone_at is not None:
        raise Declined("That pod is gone; there is nothing to take over any more.")
    name = f"*{word(pod.name)}*"
    if pod.owner is None:
        raise Declined(f"{name} is nobody's: `/pod claim {pod.pod_id}`.")
    if pod.owner == click.user:
        raise Declined(f"{name} is yours already.")
    if not (await who(house, pod.owner)).deactivated:
        raise Declined(f"{mention(pod.owner)} is still here, so only they can give {name}. Nothing was done.")
    offered = HandOver(key_from(f"take {click.key}"), pod.pod_id, pod.owner, click.user, click.user, now)
    told = await house.db.run(lambda session: _take_over(session, house, offered, click, name))
    house.wakes.wake("outbox")
    await answer(house, click, told)


def _take_over(session: Session, house: House, offered: HandOver, click: Click, name: str) -> str:
    offer(session, offered)
    current = hand_over(session, offered.id) or offered
    if click.user in house.admins:
        return accept_offer(session, house, current, click)
    facts: JsonObject = {"offer": offered.id}
    announce(session, house, f"take over/{offered.id}", "take_over_asked", facts, house.clock.now())
    told: JsonObject = {"giver": offered.giver, "offer": offered.id}
    record(session, Event(offered.at, click.user, "pod.take_over_asked", offered.pod_id, told))
    return f"I have asked the admins; {name} is yours once one of them confirms it."
