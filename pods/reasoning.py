"""The whole reasoning about one pod, point by point, so that a tired person can follow and check it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from pods.explain import sentence
from pods.facts import PassFacts, PodFacts
from pods.fence import ends_by_itself_at
from pods.ownership import Grade, Ownership
from pods.phase import Phase
from pods.rule_texts import RULE_TEXTS
from pods.stale import kept
from pods.verdict import Verdict
from pods.words import Words


@dataclass(frozen=True, slots=True)
class Point:
    """One line: what it is about, and what is to be said of it."""

    label: str
    text: str


def reasoning(
    pod: PodFacts, ownership: Ownership, verdict: Verdict, pass_: PassFacts, words: Words
) -> tuple[Point, ...]:
    """The outcome first, then everything it rests on, then what could change it."""
    return (
        Point("In short", sentence(pod, verdict, pass_, words)),
        Point("Now", _now(pod.phase)),
        Point("Whose", _whose(ownership, words)),
        Point("How sure we are", _how_sure(ownership.grade)),
        *_watched(pod, words),
        *_stopped(pod, words),
        *_protected(pod, pass_, words),
        Point("Decided by", f"line {verdict.rule}: {RULE_TEXTS[verdict.rule]}"),
        *_could_change(verdict, words),
    )


def _now(phase: Phase | None) -> str:
    match phase:
        case None:
            return "Nothing can be said."
        case Phase.ALLOCATING:
            return "It is rented and being prepared; it costs money."
        case Phase.NO_RUNTIME:
            return "It is rented and shows nothing that runs; it costs money."
        case Phase.RUNNING:
            return "It runs; it costs money."
        case Phase.EXITED:
            return "It is stopped; only its storage costs money."
        case Phase.ERROR:
            return "RunPod calls it broken; take it that it costs money."
        case Phase.GONE:
            return "It is gone."
        case _:
            assert_never(phase)


def _whose(ownership: Ownership, words: Words) -> str:
    people = ", ".join(words.mention(user) for user in ownership.claimants)
    made = (
        f"Podkeeper made it for {words.mention(ownership.created_for)} (provision {ownership.provision})."
        if ownership.created_for is not None
        else "Podkeeper did not make it."
    )
    match ownership.grade:
        case Grade.CONFLICTING:
            return f"{made} It is called theirs by {people}."
        case Grade.CLAIMED:
            settles = (
                f" They may end it from {words.when(ownership.may_end_from)} on, if nobody objects."
                if ownership.may_end_from
                else ""
            )
            return f"{made} {people} says that it is theirs.{settles}"
        case Grade.PROVED if ownership.owner != ownership.created_for:
            return f"{made} It is {people}'s now."
        case Grade.PROVED:
            return made
        case Grade.UNKNOWN:
            return f"{made} Nobody has said that it is theirs."
        case _:
            assert_never(ownership.grade)


def _how_sure(grade: Grade) -> str:
    match grade:
        case Grade.PROVED:
            return "Certain: it is in our own record of what we made."
        case Grade.CLAIMED:
            return "Somebody says so; we have no record of our own."
        case Grade.CONFLICTING:
            return "Not at all: people disagree."
        case Grade.UNKNOWN:
            return "We know nothing."
        case _:
            assert_never(grade)


def _watched(pod: PodFacts, words: Words) -> Iterator[Point]:
    if pod.created_at is not None:
        yield Point("Rented", f"{words.when(pod.created_at)}, says RunPod.")
    if pod.first_seen_at is not None:
        how = "from its beginning and without a gap" if pod.watched_from_birth else "not all of the time"
        since = words.when(pod.first_seen_at)
        yield Point("Watched", f"since {since}, {how}; {pod.counting} looks that count.")
    yield Point("Ran", "It has run." if pod.has_run else "Nothing was ever seen to run on it.")


def _stopped(pod: PodFacts, words: Words) -> Iterator[Point]:
    if pod.exited_since is not None:
        seen = "first seen stopped" if pod.first_seen_exited else "seen to stop, at the latest"
        yield Point("Stopped", f"{seen}, {words.when(pod.exited_since)}.")
    if pod.provider_exited_at is not None:
        yield Point("RunPod says", f"stopped at {words.when(pod.provider_exited_at)}.")


def _protected(pod: PodFacts, pass_: PassFacts, words: Words) -> Iterator[Point]:
    if pod.keep_unreadable:
        yield Point("Kept", "yes; until when cannot be read.")
    elif pod.kept_until is not None:
        state = "until" if kept(pod, pass_.now) else "not any more, since"
        yield Point("Kept", f"{state} {words.when(pod.kept_until)}.")
    if (ends_at := ends_by_itself_at(pod)) is not None:
        yield Point("Ends by itself at", f"{words.when(ends_at)}, by Podkeeper.")


def _could_change(verdict: Verdict, words: Words) -> Iterator[Point]:
    if verdict.changes_at is not None:
        yield Point("Could change", f"at {words.when(verdict.changes_at)}, even if nothing else happens.")
