"""What admins see below: the fleet, what I may do by myself, and how the clocks are doing."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from bot.fleet.lines import phase_in_words
from bot.fleet.views import PodView
from bot.text import code, mention, money, named, section, with_hint, word
from gateways.slack.protocol import Block
from jobs.house import House
from storage.job import JobPass, passes
from storage.switch import Switch, switches
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, OPS_CHANNEL_LOST, PAUSED

_SWITCHES = {
    PAUSED: "everything is paused",
    ARMED_NEVER_RAN: "`never-ran` is armed",
    ARMED_STALE: "`stale` is armed",
    OPS_CHANNEL_LOST: ":warning: the ops channel cannot be reached, so no clock ends anything",
}


def admin_blocks(session: Session, house: House, pods: Sequence[PodView], now: datetime) -> list[Block]:
    """Three paragraphs."""
    return [
        section(_fleet(pods)),
        section(_allowed(switches(session))),
        section(_clocks(passes(session), now)),
        section(f"Admins: {', '.join(map(mention, sorted(house.admins)))}"),
    ]


def _fleet(pods: Sequence[PodView]) -> str:
    known = [pod.usd_per_hour for pod in pods if pod.usd_per_hour is not None]
    phases = Counter(phase_in_words(pod.phase) for pod in pods)
    counted = ", ".join(f"{number:,} {name}" for name, number in phases.most_common()) or "none"
    nobodys = sum(pod.owner is None for pod in pods)
    head = f"*The fleet*: {len(pods):,} pods, {money(sum(known))} an hour."
    return f"{head}\n{counted}; {nobodys:,} without an owner."


def _allowed(known: dict[str, Switch]) -> str:
    lines = [
        f"• {text} ({named(one.set_by)})"
        for key, text in _SWITCHES.items()
        if (one := known.get(key)) is not None and one.value == "on"
    ]
    nothing = "Nothing is armed: I end nothing by myself, I ask. `/pod arm never-ran` shows what it would do."
    return "\n".join(["*What I may do by myself*", *(lines or [nothing])])


def _clocks(known: dict[str, JobPass], now: datetime) -> str:
    lines = [_pass(one, now) for _, one in sorted(known.items())]
    return "\n".join(["*Last passes*", *(lines or ["There was none yet."])])


def _pass(one: JobPass, now: datetime) -> str:
    if one.ended_at is None:
        return f"• {code(one.job)} began {with_hint(one.started_at, now)}"
    whole = "" if one.complete else ", *not complete*"
    said = f": {word(one.sentence, 150)}" if one.sentence else ""
    return f"• {code(one.job)} {with_hint(one.ended_at, now)}{whole}{said}"
