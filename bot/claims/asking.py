"""Somebody whose pod it is not knows whose it is: that person is asked."""

from sqlmodel import Session

from bot.claims.people import must_be_member, receiver
from bot.fleet.views import view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.text import mention
from jobs.house import House
from storage.columns import JsonObject
from storage.outbox import Letter, send
from storage.trail import Event, record


async def press_whose(house: House, click: Click) -> None:
    """Ask the chosen person, once, with *Mine*. It says nothing about whose the pod is."""
    await must_be_member(house, click.user)
    chosen = click.chosen or ""
    await receiver(house, chosen)
    now, settle = house.clock.now(), house.policy.claim_settle

    def work(session: Session) -> str:
        pod = view(session, click.block_id or "", now, settle)
        if pod is None or pod.gone_at is not None:
            raise Declined("That pod is gone; there is nobody to ask any more.")
        if pod.owner is not None:
            return f"It is {mention(pod.owner)}'s by now."
        facts: JsonObject = {"pod": pod.pod_id, "by": click.user, "asked": chosen}
        send(session, Letter(f"is it yours/{pod.pod_id}/{chosen}", chosen, "is_it_yours", facts), now)
        record(session, Event(now, click.user, "pod.whose_asked", pod.pod_id, facts))
        return f"Thank you; I have asked {mention(chosen)}."

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, click, told, replace=True)
