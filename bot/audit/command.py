"""`/pod audit [POD]` and `/pod why POD`: the same judgement that the clocks act on, shown."""

from sqlmodel import Session

from bot.audit.fleet import KIND, draw_fleet, needs_somebody
from bot.audit.one import draw_one
from bot.fleet.naming import meant, the_pod
from bot.slack.answering import Declined, answer
from bot.table import Typed
from bot.text import Shown
from jobs.house import House
from jobs.judgement.judging import judged_now
from pods.ids import PodId
from storage.columns import JsonObject
from storage.keys import key_from
from storage.page import Page, put_page


async def run_audit(house: House, typed: Typed) -> None:
    """The fleet, or one pod."""
    shown = await (_one(house, typed) if typed.words else _fleet(house, typed))
    await answer(house, typed, shown.text, shown.blocks)


async def run_why(house: House, typed: Typed) -> None:
    """One pod, with everything that is known about it."""
    shown = await _one(house, typed)
    await answer(house, typed, shown.text, shown.blocks)


async def _one(house: House, typed: Typed) -> Shown:
    if len(typed.words) != 1:
        raise Declined("Name one pod, please, like `/pod why train-7b`.")
    name, now = typed.words[0], house.clock.now()

    def look(session: Session) -> Shown:
        pod = the_pod(meant(session, name, now, house.policy.claim_settle), name)
        judgement = judged_now(session, house)
        judged = {one.facts.pod_id: one for one in judgement.plan.judged}.get(PodId(pod.pod_id))
        return draw_one(session, pod, judged, judgement.loaded.pass_)

    return await house.db.read(look)


async def _fleet(house: House, typed: Typed) -> Shown:
    def look(session: Session) -> Shown:
        judgement = judged_now(session, house)
        needs = [one.facts.pod_id for one in judgement.plan.judged if needs_somebody(one)]
        items: JsonObject = {"ids": list(needs)}
        page = Page(key_from(f"audit {typed.key}"), KIND, typed.user, items, 0, house.clock.now())
        put_page(session, page)
        return draw_fleet(session, page, house)

    return await house.db.run(look)
