"""REST v2, billing: what pods cost, in buckets of time."""

from datetime import UTC, datetime, timedelta

from simulator.runpod.fleet import Fleet
from simulator.runpod.http import Json, Response, Visit
from simulator.runpod.ordering import RuleError
from simulator.runpod.pod import Pod
from simulator.runpod.validation import InvalidError
from simulator.runpod.wording import date

_SIZES = ("hour", "day", "week", "month", "year")


class BillingApi:
    """GET /v2/billing/pods over the fleet's true bills."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def pods(self, visit: Visit) -> Response:
        """One record per pod and bucket in which it existed."""
        query = visit.request.query
        size, only = query.get("bucketSize", "day"), query.get("podId")
        if size not in _SIZES:
            raise InvalidError([f"$.bucketSize: value must be one of {', '.join(map(repr, _SIZES))}"])
        start, end = _window(visit, size)
        pods = [pod for pod in self._fleet.ever() if only in (None, pod.id)] if visit.sees_pods else []
        records = [
            record for bucket in _buckets(start, end, size) for record in _bills(pods, *bucket, visit.now)
        ]
        return Response(
            body={
                "records": records,
                "metadata": {
                    "query": {
                        "startTime": date(start, "rfc3339"),
                        "endTime": date(end, "rfc3339"),
                        "bucketSize": size,
                        "podId": only,
                    },
                    "recordCount": len(records),
                    "uniquePodCount": len({record["podId"] for record in records}),
                    "totals": _totals(records),
                },
            }
        )


def _window(visit: Visit, size: str) -> tuple[datetime, datetime]:
    query = visit.request.query
    if "lastN" in query:
        if "startTime" in query or "endTime" in query:
            raise RuleError("lastN and startTime/endTime are mutually exclusive")
        if not query["lastN"].isdigit() or int(query["lastN"]) < 1:
            raise InvalidError(["$.lastN: must be a whole number of at least 1"])
        start = _floor(visit.now, size)
        for _ in range(int(query["lastN"]) - 1):
            start = _floor(start - timedelta(seconds=1), size)
        return start, _next(_floor(visit.now, size), size)
    start = _time(query.get("startTime"), "startTime", visit.now - timedelta(days=30))
    end = _time(query.get("endTime"), "endTime", visit.now)
    if start >= end:
        raise RuleError("startTime must be before endTime")
    last = _floor(end, size)
    return _floor(start, size), last if last == end else _next(last, size)


def _time(text: str | None, name: str, default: datetime) -> datetime:
    if text is None:
        return default
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as why:
        raise InvalidError([f"$.{name}: {text!r} is not an RFC 3339 time"]) from why
    if moment.tzinfo is None:
        raise InvalidError([f"$.{name}: {text!r} has no offset"])
    return moment.astimezone(UTC)


def _floor(moment: datetime, size: str) -> datetime:
    hour = moment.replace(minute=0, second=0, microsecond=0)
    day = hour.replace(hour=0)
    match size:
        case "hour":
            return hour
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "year":
            return day.replace(day=1, month=1)
        case _:
            return day


def _next(start: datetime, size: str) -> datetime:
    longest = {"hour": 1, "day": 24, "week": 7 * 24, "month": 32 * 24, "year": 367 * 24}
    return _floor(start + timedelta(hours=longest[size]), size)


def _buckets(start: datetime, end: datetime, size: str) -> list[tuple[datetime, datetime]]:
    found = []
    while start < end:
        found.append((start, _next(start, size)))
        start = found[-1][1]
    return found


def _bills(pods: list[Pod], start: datetime, end: datetime, now: datetime) -> list[Json]:
    records: list[Json] = []
    for pod in pods:
        compute, disk = pod.billed(start, min(end, now))
        if compute + disk <= 0:
            continue
        records.append(
            {
                "startTime": date(start, "rfc3339"),
                "endTime": date(end, "rfc3339"),
                "podId": pod.id,
                "totalAmount": compute + disk,
                "gpuAmount": compute if pod.order.gpu is not None else 0.0,
                "cpuAmount": compute if pod.order.cpu is not None else 0.0,
                "diskAmount": disk,
            }
        )
    return records


def _totals(records: list[Json]) -> Json:
    names = ("totalAmount", "gpuAmount", "cpuAmount", "diskAmount")
    return {name: sum(amount for r in records if isinstance(amount := r[name], float)) for name in names}
