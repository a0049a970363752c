"""The Home tab is drawn anew whenever somebody opens it, and when they page through it."""

from dataclasses import replace

from sqlmodel import Session

from bot.fleet.pages import NEXT
from bot.fleet.views import views
from bot.home.drawing import KIND, SIZE, home_id, home_view, owned_ids
from bot.slack.heard import Click, Happening
from gateways.slack.errors import SlackRejected
from gateways.slack.protocol import View
from jobs.house import House
from storage.page import Page, page, put_page


async def home_opened(house: House, happening: Happening) -> None:
    """Somebody opened the app; only the Home tab is of interest."""
    if happening.event.get("tab") == "home" and happening.user:
        await publish(house, happening.user, None)


async def turn_home(house: House, click: Click) -> None:
    """*More* and *Back* in the Home tab."""
    await publish(house, click.user, click)


async def refresh(house: House, click: Click) -> None:
    """After a click that came from no message: if they have a Home, it tells the present."""
    if await house.db.read(lambda session: is_home(session, home_id(click.user))):
        await publish(house, click.user, click, turns=False)


def is_home(session: Session, page_id: str | None) -> bool:
    """Whether this is somebody's Home."""
    found = page(session, page_id or "")
    return found is not None and found.kind == KIND


async def publish(house: House, user: str, click: Click | None, *, turns: bool = True) -> None:
    """Draw it from the present facts. If Slack does not take it, the plainest Home that there is."""

    def look(session: Session) -> tuple[Page, View]:
        now = house.clock.now()
        pods = views(session, now, house.policy.claim_settle)
        fresh = Page(home_id(user), KIND, user, {"ids": [*owned_ids(pods, user)]}, 0, now)
        shown = _turned(fresh, page(session, home_id(user)), click, turns=turns)
        return shown, home_view(session, house, shown, pods, now)

    shown, view = await house.db.read(look)
    await house.db.run(lambda session: put_page(session, shown))
    try:
        await house.slack.publish_home(user, view)
    except SlackRejected:
        await house.slack.publish_home(user, PLAIN)


def _turned(fresh: Page, before: Page | None, click: Click | None, *, turns: bool) -> Page:
    """Where they are now; the same click delivered twice turns one page."""
    if click is None or before is None:
        return fresh
    ids = fresh.items["ids"]
    total = len(ids) if isinstance(ids, list) else 0
    if not turns or before.items.get("turned_by") == click.key:
        at = before.position
    else:
        at = before.position + (SIZE if click.action_id == NEXT else -SIZE)
    last = max((total - 1) // SIZE * SIZE, 0)
    return replace(fresh, position=min(max(at, 0), last), items={**fresh.items, "turned_by": click.key})


PLAIN: View = {
    "type": "home",
    "blocks": [
        {
            "type": "section",
            "text": {
                "type": "plain_text",
                "text": "I could not draw your Home. /pod list shows your pods.",
            },
        }
    ],
}
