"""Pods that somebody may have meant who named one that nobody ever heard of: one answer for every door."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from bot.help.near import MOST, near_things
from storage.ledger import live_names, records
from storage.pod import PodRow

GONE_REMEMBERED = 500
"""Comparing words takes time, and of very many nobody thinks any more."""


@dataclass(frozen=True, slots=True)
class Near:
    """`word`: that one of its names that comes near. A NAME in use may have no pod yet."""

    word: str
    pod_id: str | None
    runpod_name: str | None
    gone: bool = False

    def __str__(self) -> str:
        """`id name`, by which a program can tell pods apart."""
        if self.pod_id is None:
            return f"{self.word} (no pod yet)"
        return f"{self.pod_id} {self.runpod_name or '(unreadable)'}{' (gone)' if self.gone else ''}"


def near_pods(session: Session, typed: str, most: int = MOST) -> tuple[Near, ...]:
    """By id, NAME or name at RunPod, the likest first."""
    made = _made(session)
    present = select(PodRow.pod_id, PodRow.name).where(col(PodRow.gone_at).is_(None))
    shown = session.exec(present).all()
    with_pod = {made[pod_id] for pod_id, _ in shown if pod_id in made}
    called: dict[tuple[str | None, str | None], list[str]] = {
        (None, name): [name] for name in sorted(live_names(session)) if name not in with_pod
    }
    for pod_id, name in shown:
        called[pod_id, name] = [word for word in (made.get(pod_id), name, pod_id) if word]
    found = near_things(typed, called, most)
    return tuple(Near(word, pod_id, name) for (pod_id, name), word in found.items())


def near_gone_pods(session: Session, typed: str, most: int = MOST) -> tuple[Near, ...]:
    """The same among pods that are gone and still known, as far as they went lately."""
    made = _made(session)
    gone = select(PodRow.pod_id, PodRow.name).where(col(PodRow.gone_at).is_not(None))
    lately = session.exec(gone.order_by(col(PodRow.gone_at).desc()).limit(GONE_REMEMBERED)).all()
    called = {
        (pod_id, name): [word for word in (made.get(pod_id), name, pod_id) if word] for pod_id, name in lately
    }
    found = near_things(typed, called, most)
    return tuple(Near(word, pod_id, name, gone=True) for (pod_id, name), word in found.items())


def _made(session: Session) -> dict[str, str]:
    """Pod id → the NAME that it was ordered by."""
    return {each.pod_id: each.name for each in records(session) if each.pod_id}
