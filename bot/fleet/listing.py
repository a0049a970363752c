"""`/pod list [mine|all]`: pods with owner, phase, age and money."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from bot.fleet.lines import pod_lines
from bot.fleet.pages import and_more, part, turner
from bot.fleet.views import PodView, views
from bot.slack.answering import Declined, answer
from bot.table import Typed
from bot.text import Shown, code, context, money, section
from jobs.house import House
from pods.provision.stages import WITHOUT_POD
from storage.columns import JsonObject
from storage.keys import key_from
from storage.ledger import ProvisionRecord, records
from storage.listing import last_listings
from storage.page import Page, put_page

KIND = "pod list"
SIZE = 15


async def run_list(house: House, typed: Typed) -> None:
    """The person's own pods, or all; each person's list is theirs to page through."""
    which = typed.words[0].lower() if typed.words else "mine"
    if which not in ("mine", "all") or len(typed.words) > 1:
        raise Declined(f"I can list `mine` or `all`, not {code(' '.join(typed.words))}. Try `/pod list all`.")
    now, settle = house.clock.now(), house.policy.claim_settle

    def look(session: Session) -> tuple[Page, Shown]:
        everything = views(session, now, settle)
        shown = [pod for pod in everything if which == "all" or pod.is_mine(typed.user)]
        ids = [pod.pod_id for pod in sorted(shown, key=lambda pod: _order(pod, typed.user))]
        items: JsonObject = {"ids": list(ids), "which": which, "others": len(everything) - len(shown)}
        made = Page(key_from(f"list {typed.key}"), KIND, typed.user, items, 0, now)
        return made, _drawn(session, made, everything, now)

    made, shown = await house.db.read(look)
    await house.db.run(lambda session: put_page(session, made))
    await answer(house, typed, shown.text, shown.blocks)


def draw_list(session: Session, page: Page, house: House) -> Shown:
    """The part of the list that is shown now, from the present facts."""
    now = house.clock.now()
    return _drawn(session, page, views(session, now, house.policy.claim_settle), now)


def _drawn(session: Session, page: Page, everything: Sequence[PodView], now: datetime) -> Shown:
    there = {pod.pod_id: pod for pod in everything}
    pods = [there[pod_id] for pod_id in part(page, SIZE) if pod_id in there]
    mine = page.items.get("which") == "mine"
    coming = [] if page.position else _on_their_way(session, page.shown_to if mine else None)
    listed = [pod_lines(pod, now) for pod in pods] + [_coming_line(found) for found in coming]
    head = _head(page, everything, mine=mine, empty=not listed)
    blocks = [section(head), *map(section, listed), *turner(page, SIZE), context(_foot(session, page))]
    return Shown("\n".join([head, *listed]), blocks)


def _order(pod: PodView, user: str) -> tuple[bool, float, str]:
    return (not pod.is_mine(user), -(pod.usd_per_hour or 0.0), pod.pod_id)


def _head(page: Page, there: Sequence[PodView], *, mine: bool, empty: bool) -> str:
    others = page.items.get("others")
    if empty and mine:
        return "You have no pods." + (f" There are {others} of others: `/pod list all`." if others else "")
    if empty:
        return "There are no pods."
    shown = [pod for pod in there if not mine or pod.is_mine(page.shown_to)]
    known = [pod.usd_per_hour for pod in shown if pod.usd_per_hour is not None]
    unknown = len(shown) - len(known)
    rest = f", and {unknown} of unknown price" if unknown else ""
    head = f"*{'Your pods' if mine else 'All pods'}*: {money(sum(known))} an hour together{rest}."
    return head + (f" {others} more are of others: `/pod list all`." if mine and others else "")


def _foot(session: Session, page: Page) -> str:
    newest = last_listings(session, 1)
    seen = and_more(page, SIZE) if part(page, SIZE) else ""
    if not newest:
        return "I have not seen the account yet; it takes about a minute after I start."
    doubt = "" if newest[0].complete else "The last look at RunPod was not complete. "
    return f"{doubt}{seen}" or "As of the last look at RunPod."


def _on_their_way(session: Session, owner: str | None) -> list[ProvisionRecord]:
    found = records(session, owner=owner)
    return [
        each for each in found if each.stage in WITHOUT_POD and each.pod_id is None and not each.finished_at
    ]


def _coming_line(found: ProvisionRecord) -> str:
    return f"*{found.name}*  <@{found.owner}>\non its way, no pod yet"
