"""The fleet with a verdict for each pod and all its evidence: the shape of `audit --json`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlmodel import Session

from jobs.judgement.judging import Judgement, code_of, held_of
from jobs.judgement.loading import GONE_LISTED_FOR
from pods import cost
from pods.episodes import Episode
from pods.exit_clock import ExitSource
from pods.exit_codes import ExitCode
from pods.explain import sentence
from pods.facts import PodFacts
from pods.ids import PodId
from pods.keeps import KeepTag
from pods.ownership import Claim, LedgerRecord, Statement
from pods.phase import Phase
from pods.plan import Judged
from pods.rule_texts import RULE_TEXTS
from pods.snapshot import Mounts, Snapshot
from pods.words import PlainWords
from storage.claim import statements
from storage.columns import JsonObject
from storage.history import all_episodes
from storage.keep import keep_tags
from storage.ledger import ledger_records, records
from storage.pod import gone_times, snapshots, status_texts
from storage.prices import ordered_disks, ordered_prices

FINDINGS = ("ask", "reap", "cannot_tell")
FOR_EVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Background:
    """What a report shows beside the facts that decided."""

    snapshots: Mapping[PodId, Snapshot]
    gone: Mapping[PodId, datetime]
    """When each pod went that is gone, and is still listed."""
    episodes: Mapping[PodId, Sequence[Episode]]
    texts: Mapping[PodId, str]
    ledger: Mapping[PodId, LedgerRecord]
    claims: Mapping[PodId, Sequence[Statement]]
    keeps: Mapping[PodId, Sequence[KeepTag]]
    prices: Mapping[str, float]
    """What the pods that we rented cost an hour then."""
    disks: Mapping[PodId, Mounts | None]
    """What is mounted on each, as it is shown or was ordered."""


def background(session: Session, now: datetime) -> Background:
    """For all pods at once."""
    gone_since = now - GONE_LISTED_FOR
    seen, made = snapshots(session, gone_since), {each.pod_id: each for each in records(session)}
    unknown = {pod_id: made[pod_id] for pod_id, pod in seen.items() if pod.mounts is None and pod_id in made}
    shown = {pod_id: pod.mounts for pod_id, pod in seen.items()}
    return Background(
        snapshots=seen,
        disks={**shown, **{pod_id: ordered_disks(order) for pod_id, order in unknown.items()}},
        gone=gone_times(session, gone_since),
        episodes=all_episodes(session, gone_since),
        texts=status_texts(session),
        ledger=ledger_records(session),
        claims=statements(session),
        keeps=keep_tags(session),
        prices=ordered_prices(session),
    )


def report(judgement: Judgement, known: Background, only: PodId | None = None) -> JsonObject:
    """The whole audit; with `only`, of that pod alone."""
    pass_, plan = judgement.loaded.pass_, judgement.plan
    pods = [
        entry(one, judgement, known)
        for one in sorted(plan.judged, key=lambda one: one.facts.pod_id)
        if only is None or one.facts.pod_id == only
    ]
    return {
        "at": stamp(plan.at),
        "complete": pass_.listing_complete,
        "armed": {"never_ran": pass_.armed_never_ran, "stale": pass_.armed_stale},
        "paused": pass_.paused,
        "pods": [*pods],
        "totals": _totals(pods),
    }


def exit_code(audit: JsonObject) -> ExitCode:
    """What `podkeeper audit` ends with."""
    totals = audit["totals"]
    assert isinstance(totals, dict)
    if not audit["complete"]:
        return ExitCode.NOT_SEEN_WHOLE
    return ExitCode.FINDINGS if any(totals[finding] for finding in FINDINGS) else ExitCode.OK


def entry(one: Judged, judgement: Judgement, known: Background) -> JsonObject:
    """One pod."""
    facts, verdict, pass_ = one.facts, one.verdict, judgement.loaded.pass_
    pod_id, now = facts.pod_id, pass_.now
    seen = known.snapshots.get(pod_id)
    episodes = known.episodes.get(pod_id, ())
    shown, mounts = seen.usd_per_hour if seen else None, known.disks.get(pod_id)
    price = shown if shown is not None else known.prices.get(pod_id)
    until = known.gone.get(pod_id, now)
    exited_at, source = shown_exit(facts)
    return {
        "id": pod_id,
        "name": seen.name if seen else None,
        "phase": facts.phase,
        "grade": facts.grade,
        "owner": facts.owner,
        "verdict": code_of(verdict),
        "reason": verdict.reason,
        "held": held_of(verdict),
        "text": sentence(facts, verdict, pass_, PlainWords()),
        "changes_at": stamp(verdict.changes_at),
        "exited_at": stamp(exited_at),
        "exited_at_source": source,
        "created_at": stamp(facts.created_at),
        "kept_until": stamp(facts.kept_until) if facts.kept_until and facts.kept_until > now else None,
        "usd_per_hour": _cents(cost.usd_per_hour_now(facts.phase, price, mounts)),
        "usd_so_far": _cents(cost.usd_so_far(episodes, facts.created_at, price, mounts, until)),
        "evidence": {
            "rule": f"line {verdict.rule}: {RULE_TEXTS[verdict.rule]}",
            "observed": [_observed(episode) for episode in episodes],
            "provider_text": known.texts.get(pod_id),
            "ledger": _ledger(known.ledger.get(pod_id)),
            "claims": [*_claims(known.claims.get(pod_id, ()))],
            "keep": _keep(known.keeps.get(pod_id, ()), now),
        },
    }


def shown_exit(facts: PodFacts) -> tuple[datetime | None, ExitSource]:
    """The exit time that people see, and where it comes from."""
    if facts.phase is not Phase.EXITED:
        return None, ExitSource.UNKNOWN
    if facts.exited_since is not None and not facts.first_seen_exited:
        return facts.exited_since, ExitSource.OBSERVED
    if facts.provider_exited_at is not None:
        return facts.provider_exited_at, ExitSource.PROVIDER
    return None, ExitSource.UNKNOWN


def stamp(moment: datetime | None) -> str | None:
    """A time as the contract writes it."""
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cents(usd: float | None) -> float | None:
    return None if usd is None else round(usd, 2)


def _observed(episode: Episode) -> JsonObject:
    return {
        "phase": episode.phase,
        "from": stamp(episode.since),
        "to": stamp(episode.until),
        "n": episode.observations,
        "longest_gap_s": int(episode.longest_gap / timedelta(seconds=1)),
    }


def _ledger(made: LedgerRecord | None) -> JsonObject | None:
    return None if made is None else {"provision": made.provision, "at": stamp(made.called_at)}


def _claims(said: Sequence[Statement]) -> Iterable[JsonObject]:
    for one in said:
        if isinstance(one, Claim):
            yield {"owner": one.owner, "at": stamp(one.at), "source": one.source}


def _keep(tags: Sequence[KeepTag], now: datetime) -> JsonObject | None:
    standing = [tag for tag in tags if tag.lifted_at is None and (tag.until is None or tag.until > now)]
    if not standing:
        return None
    longest = max(standing, key=lambda tag: tag.until or FOR_EVER)
    return {"by": longest.by, "at": stamp(longest.given_at), "until": stamp(longest.until)}


def _totals(pods: Sequence[JsonObject]) -> JsonObject:
    counted = {code: sum(pod["verdict"] == code for pod in pods) for code in ("keep", *FINDINGS)}
    rates = [pod["usd_per_hour"] for pod in pods]
    known = [rate for rate in rates if isinstance(rate, float)]
    return {"pods": len(pods), **counted, "usd_per_hour": round(sum(known), 2)}
