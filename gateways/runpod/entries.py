"""Listings, read with the last one in mind: an entry that shows what it showed then is not read again.

A fleet is listed every minute, and hardly any of its pods has changed by the next time but for the seconds
of its uptime.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from gateways.runpod.json_values import Json, child
from gateways.runpod.pod_json import is_alive, read_listing, read_pod
from pods.snapshot import Listing, Snapshot, Unreadable

Read = tuple[bool, bool, Mapping[str, Json], Snapshot]
"""Whether its runtime showed life; whether it was unlocked; the entry but for its runtime; the snapshot."""


@dataclass(slots=True)
class ListingReader:
    """Reads listings as `read_listing` does. An unchanged pod is the very snapshot of the last time."""

    _last: dict[str, Read] = field(default_factory=dict)

    def read(self, body: Json, *, at: datetime, provider_at: datetime | None) -> Listing:
        last, self._last = self._last, {}
        return read_listing(body, at=at, provider_at=provider_at, read=partial(self._entry, last))

    def _entry(self, last: Mapping[str, Read], entry: Json, pod_id: str) -> Snapshot | Unreadable:
        runtime = child(entry, "runtime")
        if not isinstance(entry, dict) or not (runtime is None or isinstance(runtime, dict)):
            return read_pod(entry, pod_id)
        alive, unlocked, rest = is_alive(runtime), entry.get("locked") is False, {**entry, "runtime": None}
        before = last.get(pod_id)
        if before and before[0] is alive and before[1] is unlocked and _same(before[2], rest):
            self._last[pod_id] = before
            return before[3]
        snapshot = read_pod(entry, pod_id)
        if isinstance(snapshot, Snapshot):
            self._last[pod_id] = (alive, unlocked, rest, snapshot)
        return snapshot


def _same(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Equal, as far as can be seen: what is nested absurdly deep is read again."""
    try:
        return one == other
    except RecursionError:
        return False
