"""The sentences of a card: which pod, what it costs, why it is asked, whose it is, what is lost."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.fleet.lines import doing
from bot.fleet.views import PodView
from bot.terminate.confirmation import Act, lost, wiped
from bot.text import code, mention, money, per_hour, when, word
from pods import cost
from pods.exit_clock import exit_times
from pods.ownership import Grade, Ownership
from pods.status_text import status_text
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.history import episodes_of, history
from storage.pod import PodRow, snapshot
from storage.prices import disks_of, price_of
from storage.question import Question

LONGEST_SAID = 600


def which(pod: PodView, now: datetime) -> str:
    """The first line: the pod and what it does, since when."""
    return f"*{word(pod.name)}* `{pod.pod_id}`: {doing(pod, now)}"


def costs(session: Session, pod: PodView, now: datetime) -> str:
    """The second line: money."""
    spent = so_far(session, pod, now)
    if pod.gone_at is not None:
        return "It costs nothing any more."
    if pod.usd_per_hour is None:
        return "What it costs is unknown." + (f" So far about {money(spent)}." if spent is not None else "")
    known = f"; so far about {money(spent)}" if spent is not None else ""
    return f"It costs {per_hour(pod.usd_per_hour)}{known}."


def so_far(session: Session, pod: PodView, now: datetime) -> float | None:
    """US dollars since it was rented, an estimate; None if unknown."""
    seen = snapshot(session, pod.pod_id)
    price, mounts = price_of(session, pod.pod_id, seen), disks_of(session, pod.pod_id, seen)
    return cost.usd_so_far(episodes_of(session, pod.pod_id), pod.created_at, price, mounts, now)


def stopped_by_runpods_word(
    session: Session, pod_id: str, now: datetime, max_gap: timedelta
) -> datetime | None:
    """When RunPod says that it stopped, for a pod that was stopped when it was first seen; None if unsaid."""
    past, row = history(session, pod_id), session.get(PodRow, pod_id)
    if past is None or row is None:
        return None
    exit_ = exit_times(past, status_text(row.status_text), now, max_gap)
    return exit_.provider_at if exit_.first_seen_exited else None


def why(question: Question, pod: PodView, now: datetime, said_stopped_at: datetime | None) -> str:
    """Why somebody is asked. `said_stopped_at`: as `stopped_by_runpods_word` has it."""
    rented = f"It was rented {span_in_words(now - pod.created_at)} ago" if pod.created_at else "It is rented"
    match question.reason:
        case "never_ran" | "never_ran_kept":
            return f"{rented} and nothing ever ran on it."
        case "never_ran_unproved":
            return f"{rented} and nothing ever ran on it. It was not made by me."
        case "never_ran_unwatched":
            return (
                f"{rented} and nothing runs on it."
                " I did not watch it all the time, so I cannot know whether anything ever did."
            )
        case "error_state":
            return "RunPod calls it broken."
        case "lost_runtime":
            return "It ran before, shows nothing now, and costs money."
        case "provision_failed":
            return "Setting it up failed, and it still costs money."
        case "moved_or_copied":
            return "It looks like another pod of yours that was moved or copied. Did you move or copy it?"
        case "conflicting_claims":
            return f"{' and '.join(map(mention, pod.whose.claimants))} both say that it is theirs."
        case "stale":
            return _stopped(pod, now, said_stopped_at)
        case "fence_passed":
            return "Its time is over soon, as it was ordered."
        case "person_asks" | "agent_asks":
            return _somebody_asks(question)
        case _:
            return "Somebody has to say what should happen to it."


def _somebody_asks(question: Question) -> str:
    facts: JsonObject = question.facts
    agent, because, said = facts.get("agent"), facts.get("why"), facts.get("said")
    who = f"The agent {code(str(agent))}" if agent else mention(str(question.asked_by))
    limits = f" It may not do so by itself, because {word(str(because), 200)}." if because else ""
    words = f" In their words: “{word(str(said), LONGEST_SAID)}”" if said else ""
    return f"{who} asks you to {asked_act(question)} it.{limits}{words}"


def asked_act(question: Question) -> Act:
    """What somebody asks for. A question that does not say is about an end."""
    return Act(str(question.facts.get("act") or Act.END))


def _stopped(pod: PodView, now: datetime, said_at: datetime | None) -> str:
    if pod.gone_at is not None:
        return "It had been stopped."
    if said_at is not None:
        return f"RunPod says that it stopped {span_in_words(now - said_at)} ago."
    if pod.since is None or now - pod.since < timedelta(seconds=1):
        return "It is stopped, and goes on costing money."
    return f"It has been stopped for {span_in_words(now - pod.since)} or longer."


def whose(whose: Ownership) -> str:
    """Whose it is, and how sure we are of that."""
    owner = mention(whose.owner) if whose.owner else ""
    match whose.grade:
        case Grade.PROVED if whose.created_for == whose.owner:
            return f"It is {owner}'s: I rented it for them."
        case Grade.PROVED:
            return f"It is {owner}'s, to whom it was handed over; I rented it for {_for(whose)}."
        case Grade.CLAIMED:
            return f"It is {owner}'s, because they say so; I did not rent it.{_settling(whose)}"
        case Grade.CONFLICTING:
            return "It is not clear whose it is; nothing ends it until that is settled."
        case Grade.UNKNOWN:
            return "Nobody has said whose it is."


def _for(whose: Ownership) -> str:
    return mention(whose.created_for) if whose.created_for else "somebody else"


def _settling(whose: Ownership) -> str:
    if whose.may_end:
        return ""
    if whose.may_end_from is None:
        return " Somebody objected, so they can end it only once an admin confirms it."
    return f" They can end it from {when(whose.may_end_from)} on, if nobody objects."


def what_is_lost(session: Session, pod: PodView, act: Act = Act.END) -> str:
    """What is destroyed if it ends, or stops."""
    if act is Act.STOP:
        return f"If it stops: {wiped(pod)[0].lower()}{wiped(pod)[1:]}"
    past = history(session, pod.pod_id)
    unseen = past is None or past.has_run is None
    if unseen and pod.mounts is not None and pod.mounts.persistent_gb:
        stays = " Its network volume stays." if pod.mounts.network_volumes else ""
        return (
            "If it ends: I did not see it run; if its volume disk of"
            f" {pod.mounts.persistent_gb} GB holds anything, that is destroyed.{stays}"
        )
    return f"If it ends: {lost(pod)[0].lower()}{lost(pod)[1:]}"
