"""One pod in one line or two, the way every list shows it."""

from datetime import datetime
from typing import assert_never

from bot.fleet.views import PodView
from bot.text import mention, per_hour, when, word
from pods.ownership import Grade
from pods.phase import Phase
from pods.words import span_in_words

NO_OWNER = "nobody has said whose it is"


def pod_lines(pod: PodView, now: datetime) -> str:
    """Name, id, owner; then what it does, how old it is, what it costs."""
    head = f"*{word(pod.name)}*  `{pod.pod_id}`  {owned_by(pod)}"
    facts = [doing(pod, now), _age(pod, now), word(pod.gpu) if pod.gpu else "", per_hour(pod.usd_per_hour)]
    return f"{head}\n{' · '.join(fact for fact in facts if fact)}{_to_come(pod, now)}"


def owned_by(pod: PodView) -> str:
    """Its owner, or why there is none."""
    if pod.whose.grade is Grade.CONFLICTING:
        return "claimed by " + " and ".join(mention(user) for user in pod.whose.claimants)
    return mention(pod.owner) if pod.owner else NO_OWNER


def doing(pod: PodView, now: datetime) -> str:
    """Its phase in words, and for how long."""
    since = f" for {span_in_words(now - pod.since)}" if pod.since else ""
    if pod.ending is not None:
        return "being ended" if pod.ending.path != "stop" else "being stopped"
    return f"{phase_in_words(pod.phase)}{since}"


def phase_in_words(phase: Phase | None) -> str:
    """What somebody would say of it."""
    match phase:
        case None:
            return "cannot be read"
        case Phase.ALLOCATING:
            return "being rented"
        case Phase.NO_RUNTIME:
            return "rented, nothing runs yet"
        case Phase.RUNNING:
            return "running"
        case Phase.EXITED:
            return "stopped"
        case Phase.ERROR:
            return "in error"
        case Phase.GONE:
            return "gone"
        case _:
            assert_never(phase)


def _age(pod: PodView, now: datetime) -> str:
    return f"{span_in_words(now - pod.created_at)} old" if pod.created_at else "age unknown"


def _to_come(pod: PodView, now: datetime) -> str:
    told = []
    if pod.keeps.covers(now):
        told.append(f"kept until {when(pod.keeps.kept_until)}" if pod.keeps.kept_until else "kept")
    if pod.fence_at and pod.fence_at > now:
        told.append(f"ends by itself at {when(pod.fence_at)}")
    return f"\n_{', '.join(told)}_" if told else ""
