"""What the ops channel hears about observation itself, once per change."""

from dataclasses import dataclass, replace

from sqlmodel import Session

from jobs.observe.folding import Clocks, Folded
from storage.listing import recall, remember
from storage.outbox import Letter, send

TOLD = "told of observation"


@dataclass(frozen=True, slots=True)
class Told:
    """What the ops channel knows."""

    missing: frozenset[str] = frozenset()
    clock_doubtful: bool = False


def tell(session: Session, ops_channel: str, folded: Folded, clocks: Clocks) -> None:
    """Write to the ops channel what has changed since it was last told."""
    told = recall(session, TOLD, Told) or Told()
    now_told = _tell_missing(session, ops_channel, folded, told)
    now_told = _tell_clock(session, ops_channel, folded, clocks, now_told)
    _tell_witness_back(session, ops_channel, folded)
    if now_told != told:
        remember(session, TOLD, now_told, folded.listing.at)


def tell_second_witness_lost(session: Session, ops_channel: str, folded: Folded, sentence: str) -> None:
    """One clear warning; everything goes on without it."""
    letter = Letter(f"second witness lost: {sentence}", ops_channel, "status_texts_lost", {"why": sentence})
    send(session, letter, folded.listing.at)


def _tell_missing(session: Session, ops_channel: str, folded: Folded, told: Told) -> Told:
    """So much is missing that it looks like a fault of ours. Nobody is told twice of the same pods."""
    judged, at = folded.absences, folded.listing.at
    missing = frozenset(str(pod_id) for pod_id in judged.unexplained)
    if judged.alarm and not missing <= told.missing:
        letter = Letter(
            f"pods missing {at.isoformat()}",
            ops_channel,
            "pods_missing",
            {"missing": [*sorted(missing)], "blind": judged.blind, "why": judged.why},
            urgent=True,
        )
        send(session, letter, at)
        return replace(told, missing=told.missing | missing)
    if told.missing and folded.listing.whole and not missing:
        pods = len(folded.listing.pods)
        send(
            session,
            Letter(f"seen again {at.isoformat()}", ops_channel, "pods_seen_again", {"pods": pods}),
            at,
        )
        return replace(told, missing=frozenset())
    return told


def _tell_clock(session: Session, ops_channel: str, folded: Folded, clocks: Clocks, told: Told) -> Told:
    if clocks.doubtful == told.clock_doubtful:
        return told
    at, provider_at = folded.listing.at, folded.listing.provider_at
    off_s = (at - provider_at).total_seconds() if provider_at else None
    kind = "clock_doubtful" if clocks.doubtful else "clock_sound"
    send(session, Letter(f"{kind} {at.isoformat()}", ops_channel, kind, {"off_s": off_s}, urgent=True), at)
    return replace(told, clock_doubtful=clocks.doubtful)


def _tell_witness_back(session: Session, ops_channel: str, folded: Folded) -> None:
    """That it is out is said by the table of who hears; here that it is over."""
    since = folded.witness_before.out_since
    if since is not None and not folded.witness.out:
        letter = Letter(f"witness back {since.isoformat()}", ops_channel, "witness_back", {})
        send(session, letter, folded.listing.at)
