"""What the Home tab shows, within Slack's hundred blocks."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from bot.approvals.asked import KINDS, all_asked
from bot.approvals.buttons import card_buttons
from bot.approvals.card import head
from bot.fleet.lines import pod_lines
from bot.fleet.pages import and_more, part, turner
from bot.fleet.views import PodView
from bot.home.admins import admin_blocks
from bot.text import actions, button, code, context, money, section, when
from gateways.slack.protocol import Block, View
from jobs.house import House
from storage.agent import Agent, agents
from storage.keys import key_from
from storage.page import Page
from storage.question import open_questions

KIND = "home"
SIZE = 15
MOST_QUESTIONS = 8
MOST_AGENTS = 20
_CHOICES = (("3 days", "3d"), ("1 week", "1w"), ("Other…", "other"))


def home_id(user: str) -> str:
    """Everybody has one."""
    return key_from(f"home {user}")


def owned_ids(pods: Sequence[PodView], user: str) -> list[str]:
    """Their pods, the dearest first."""
    mine = [pod for pod in pods if pod.is_mine(user)]
    return [pod.pod_id for pod in sorted(mine, key=lambda pod: (-(pod.usd_per_hour or 0.0), pod.pod_id))]


def home_view(session: Session, house: House, shown: Page, pods: Sequence[PodView], now: datetime) -> View:
    """The whole tab, from every pod that is not gone."""
    user = shown.shown_to
    everything = {pod.pod_id: pod for pod in pods}
    mine = [pod for pod in pods if pod.is_mine(user)]
    here = [everything[pod_id] for pod_id in part(shown, SIZE) if pod_id in everything]
    blocks: list[Block] = [
        *_questions(session, house, user, now),
        section(_money(mine)),
        *(block for pod in here for block in _pod(pod, now)),
        *turner(shown, SIZE),
        *([context(and_more(shown, SIZE))] if here else []),
        *_agents(agents(session, owner=user)),
    ]
    if user in house.admins:
        blocks += [{"type": "divider"}, *admin_blocks(session, house, pods, now)]
    return {"type": "home", "blocks": blocks}


def _money(mine: Sequence[PodView]) -> str:
    if not mine:
        return "*You have no pods.* `/pod provision` orders one; `/pod list all` shows those of others."
    known = [pod.usd_per_hour for pod in mine if pod.usd_per_hour is not None]
    unknown = len(mine) - len(known)
    rest = f", and {unknown} of unknown price" if unknown else ""
    many = "1 pod" if len(mine) == 1 else f"{len(mine):,} pods"
    return f"*You have {many}*: {money(sum(known))} an hour together{rest}."


def _pod(pod: PodView, now: datetime) -> list[Block]:
    keep: Block = {
        "type": "static_select",
        "action_id": "pod_keep",
        "placeholder": {"type": "plain_text", "text": "Keep for…"},
        "options": [
            {"text": {"type": "plain_text", "text": text}, "value": value} for text, value in _CHOICES
        ],
    }
    shown = [keep]
    if pod.whose.may_end:
        shown.append(button("Terminate", "pod_terminate", pod.pod_id))
    return [section(pod_lines(pod, now)), {**actions(*shown), "block_id": pod.pod_id}]


def _questions(session: Session, house: House, user: str, now: datetime) -> list[Block]:
    found = [one for one in open_questions(session, asked=user) if one.kind in KINDS]
    abouts = all_asked(session, [one.id for one in found[:MOST_QUESTIONS]], house)
    if not abouts:
        return []
    blocks: list[Block] = [section(f"*{len(found)} open {'question' if len(found) == 1 else 'questions'}*")]
    for about in abouts:
        blocks.append(section("\n".join(head(session, about, house, now))))
        blocks.append(card_buttons(about.question, about.pod, now))
    more = len(found) - len(abouts)
    return [*blocks, context(f"and {more} more in your messages")] if more > 0 else blocks


def _agents(found: Sequence[Agent]) -> list[Block]:
    if not found:
        return []
    lines = [f"• {code(one.name)}: {_state(one)}" for one in found[:MOST_AGENTS]]
    more = [f"and {len(found) - MOST_AGENTS} more"] if len(found) > MOST_AGENTS else []
    return [section("\n".join(["*Your agents*", *lines, *more]))]


def _state(one: Agent) -> str:
    if one.suspended_at is not None:
        return "suspended"
    if one.confirmed_at is None:
        return "waits for your *Yes, mine*"
    return f"last heard {when(one.last_seen_at)}" if one.last_seen_at else "never heard of yet"
