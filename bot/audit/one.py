"""`/pod why POD`: everything that is known about one pod, in the order in which somebody would ask."""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session

from bot.fleet.lines import owned_by, phase_in_words, pod_lines
from bot.fleet.views import PodView
from bot.text import Shown, SlackWords, code, mention, money, named, sections, when, with_hint, word
from pods.cost import usd_so_far
from pods.explain import sentence
from pods.facts import PassFacts
from pods.ownership import Grade
from pods.plan import Judged
from pods.words import span_in_words
from storage.deed import Deed, DeedState, deeds_of
from storage.history import episodes_of
from storage.keep import Keep, keeps_of
from storage.pod import PodRow, snapshot_in
from storage.prices import price_of

EPISODES_SHOWN, KEEPS_SHOWN, DEEDS_SHOWN = 8, 3, 5


def draw_one(session: Session, pod: PodView, judged: Judged | None, pass_: PassFacts) -> Shown:
    """The whole reasoning. `judged` is None for a pod that has long been gone."""
    now = pass_.now
    row = session.get(PodRow, pod.pod_id)
    texts = [
        pod_lines(pod, now),
        _verdict(judged, pass_),
        _whose(pod),
        _runpod_says(row),
        _money(session, pod, row, now),
        _seen(session, pod),
        _listed("Keeps", [_keep(keep) for keep in keeps_of(session, pod.pod_id)[:KEEPS_SHOWN]]),
        _listed("Ends and stops", [_deed(deed) for deed in deeds_of(session, pod.pod_id)[:DEEDS_SHOWN]]),
    ]
    return sections([text for text in texts if text])


def _verdict(judged: Judged | None, pass_: PassFacts) -> str:
    if judged is None:
        return "It is gone."
    why = sentence(judged.facts, judged.verdict, pass_, SlackWords())
    changes = judged.verdict.changes_at
    return f"*{why}*" + (f"\nThis can change at {with_hint(changes, pass_.now)}." if changes else "")


def _whose(pod: PodView) -> str:
    match pod.whose.grade:
        case Grade.PROVED:
            for_whom = mention(pod.whose.created_for) if pod.whose.created_for else "somebody"
            handed = f" It is {owned_by(pod)}'s now." if pod.whose.created_for != pod.owner else ""
            return f"I rented it myself, for {for_whom}.{handed}"
        case Grade.CLAIMED:
            return f"I did not rent it; {owned_by(pod)} has said that it is theirs."
        case Grade.CONFLICTING:
            return f"Several people say that it is theirs: {owned_by(pod)}."
        case Grade.UNKNOWN:
            return "I did not rent it, and nobody has said whose it is."


def _runpod_says(row: PodRow | None) -> str:
    if row is None or not row.status_text:
        return ""
    return f"RunPod says: {code(row.status_text, 200)}"


def _money(session: Session, pod: PodView, row: PodRow | None, now: datetime) -> str:
    price = price_of(session, pod.pod_id, snapshot_in(row) if row else None)
    so_far = usd_so_far(episodes_of(session, pod.pod_id), pod.created_at, price, pod.mounts, now)
    return "What it has cost so far is unknown." if so_far is None else f"About {money(so_far)} so far."


def _seen(session: Session, pod: PodView) -> str:
    episodes = episodes_of(session, pod.pod_id)
    lines = [
        f"{phase_in_words(episode.phase)} from {when(episode.since)} to {when(episode.until)}"
        f" ({episode.observations} looks, at most {span_in_words(episode.longest_gap)} apart)"
        for episode in episodes[-EPISODES_SHOWN:]
    ]
    earlier = len(episodes) - len(lines)
    return _listed("What I saw", [*([f"{earlier} earlier changes"] if earlier else []), *lines])


def _keep(keep: Keep) -> str:
    until = f"until {when(keep.until)}" if keep.until else "without an end that I can read"
    reason = f": {word(keep.reason)}" if keep.reason else ""
    lifted = f" (taken away by {named(keep.lifted_by)})" if keep.lifted_at and keep.lifted_by else ""
    return f"by {named(keep.given_by)} {until}{reason}{lifted}"


def _deed(deed: Deed) -> str:
    what = "stop" if deed.path == "stop" else "end"
    reason = f": {word(deed.reason)}" if deed.reason else ""
    return f"{what} asked for by {named(deed.actor)} at {when(deed.created_at)}, {_state(deed)}{reason}"


def _state(deed: Deed) -> str:
    match deed.state:
        case DeedState.DUE:
            return "not begun yet"
        case DeedState.ACTING | DeedState.CONFIRMING:
            return "under way"
        case DeedState.DONE:
            return "done"
        case DeedState.UNDONE:
            return "undone"
        case DeedState.REFUSED:
            return f"not done ({word(deed.outcome or 'a rule was in the way')})"
        case DeedState.FAILED:
            return f"failed ({word(deed.outcome or 'RunPod would not')})"


def _listed(head: str, lines: Iterable[str]) -> str:
    listed = [f"• {line}" for line in lines]
    return "\n".join([f"*{head}*", *listed]) if listed else ""
