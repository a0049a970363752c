"""Reading a listing with the last one in mind comes to what reading it afresh does."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateways.runpod.entries import ListingReader
from gateways.runpod.json_values import Json
from gateways.runpod.pod_json import read_listing
from pods.snapshot import Snapshot, Unreadable

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
POD: dict[str, Json] = {
    "id": "pod1",
    "name": "train",
    "status": "RUNNING",
    "locked": False,
    "cost": 2.0,
    "runtime": {"uptime": 60, "ports": [], "gpus": []},
    "ssh": {"direct": None},
}
MEMBERS: dict[str, st.SearchStrategy[Json]] = {
    "name": st.sampled_from(["train", "other", None]),
    "status": st.sampled_from(["RUNNING", "EXITED", "???", 7]),
    "locked": st.sampled_from([False, True, 0, None]),
    "cost": st.sampled_from([2.0, 0, 1, True]),
    "runtime": st.sampled_from([None, {}, {"uptime": 0}, {"uptime": 9}, {"ports": [1]}, "yes", []]),
    "ssh": st.sampled_from([None, {"direct": None}, {"direct": {"host": "h", "port": 9}}]),
    "cluster": st.sampled_from([None, {"id": "c"}]),
}
ENTRIES = st.lists(st.fixed_dictionaries({}, optional=MEMBERS).map(lambda changes: {**POD, **changes}))


def read(reader: ListingReader, *entries: Json) -> Snapshot | Unreadable:
    return reader.read({"pods": [*entries]}, at=AT, provider_at=None).pods["pod1"]


@given(st.lists(ENTRIES, max_size=5))
def test_whatever_comes_after_whatever_is_read_as_if_it_came_first(listings: list[list[Json]]) -> None:
    reader = ListingReader()

    for entries in listings:
        body: Json = {"pods": entries}
        seen = reader.read(body, at=AT, provider_at=None)
        assert seen == read_listing(body, at=AT, provider_at=None)


def test_an_entry_that_only_grew_older_is_the_very_snapshot_of_before() -> None:
    reader = ListingReader()
    before = read(reader, POD)

    again = read(reader, {**POD, "runtime": {"uptime": 120, "ports": [], "gpus": []}})

    assert again is before


@pytest.mark.parametrize("what", [{"runtime": None}, {"locked": 0}, {"name": "other"}])
def test_an_entry_that_shows_something_new_is_read_again(what: dict[str, Json]) -> None:
    reader = ListingReader()
    before = read(reader, POD)

    assert read(reader, {**POD, **what}) != before


def test_what_is_nested_too_deep_to_compare_is_read_again() -> None:
    deep: Json = []
    for _ in range(100_000):
        deep = [deep]
    reader = ListingReader()
    before = read(reader, {**POD, "args": deep})
    as_deep: Json = []
    for _ in range(100_000):
        as_deep = [as_deep]

    assert read(reader, {**POD, "args": as_deep}) == before
