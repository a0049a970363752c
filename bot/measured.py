"""What the database knows, for Prometheus: read when the page is asked for."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlmodel import Session, col, func, select

from bot.fleet.views import views
from pods.guards import Job
from storage.deed import DeedRow
from storage.listing import last_complete
from storage.outbox import oldest_waiting
from storage.provision import ProvisionRow
from storage.switches import arming
from storage.verdict import current_verdicts

Family = TypeVar("Family", GaugeMetricFamily, CounterMetricFamily)
Labels = TypeVar("Labels", bound=tuple[str, ...])


@dataclass(frozen=True, slots=True, eq=False)
class Measured(Collector):
    """One reading of the database."""

    verdicts: Counter[tuple[str, str]]
    deeds: Counter[tuple[str, str]]
    provisions: Counter[str]
    usd_per_hour: dict[str, float]
    armed: dict[str, bool]
    outbox_oldest_seconds: float
    last_complete_listing: datetime | None

    def collect(self) -> Iterable[Metric]:
        """The families, as prometheus_client takes them."""
        verdicts = GaugeMetricFamily("podkeeper_verdicts", "Pods by verdict.", labels=["verdict", "reason"])
        yield _filled(verdicts, self.verdicts)
        deeds = CounterMetricFamily("podkeeper_deeds", "Ends and stops.", labels=["path", "outcome"])
        yield _filled(deeds, self.deeds)
        stages = GaugeMetricFamily("podkeeper_provisions", "Provisions by stage.", labels=["stage"])
        yield _filled(stages, {(stage,): count for stage, count in self.provisions.items()})
        usd = GaugeMetricFamily(
            "podkeeper_usd_per_hour", "What pods of known price cost an hour.", labels=["grade"]
        )
        yield _filled(usd, {(grade,): amount for grade, amount in self.usd_per_hour.items()})
        armed = GaugeMetricFamily("podkeeper_armed", "Whether it may end pods by itself.", labels=["job"])
        yield _filled(armed, {(job,): float(on) for job, on in self.armed.items()})
        oldest = "podkeeper_outbox_oldest_seconds"
        yield GaugeMetricFamily(oldest, "How long the oldest message waits.", self.outbox_oldest_seconds)
        # Never is 0 and not absent, nor NaN: of all three only 0 sets off an alert on "too long ago".
        at = self.last_complete_listing.timestamp() if self.last_complete_listing else 0.0
        name = "podkeeper_last_complete_listing_timestamp_seconds"
        yield GaugeMetricFamily(name, "When the account was last seen whole; 0: never.", at)


def measure(session: Session, now: datetime, claim_settle: timedelta) -> Measured:
    """Read everything at once."""
    found = current_verdicts(session).values()
    state = arming(session)
    oldest = oldest_waiting(session)
    usd: dict[str, float] = defaultdict(float)
    for pod in views(session, now, claim_settle):
        usd[pod.whose.grade] += pod.usd_per_hour or 0.0
    return Measured(
        verdicts=Counter((verdict.verdict, verdict.reason) for verdict in found),
        deeds=_deeds(session),
        provisions=_stages(session),
        usd_per_hour=dict(usd),
        armed={Job.NEVER_RAN: state.never_ran, Job.STALE: state.stale},
        outbox_oldest_seconds=max((now - oldest).total_seconds(), 0.0) if oldest else 0.0,
        last_complete_listing=last_complete(session),
    )


def _deeds(session: Session) -> Counter[tuple[str, str]]:
    by = select(DeedRow.path, DeedRow.state, func.count()).group_by(col(DeedRow.path), col(DeedRow.state))
    return Counter({(path.replace("_", "-"), state): count for path, state, count in session.exec(by)})


def _stages(session: Session) -> Counter[str]:
    by = select(ProvisionRow.stage, func.count()).group_by(col(ProvisionRow.stage))
    return Counter(dict(session.exec(by).all()))


def _filled(family: Family, values: Mapping[Labels, float]) -> Family:
    for labels, value in values.items():
        family.add_metric(list(labels), value)
    return family
