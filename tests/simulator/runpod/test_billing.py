"""What the billing endpoint says pods have cost, bucket by bucket."""

from datetime import timedelta
from typing import Any

import pytest

from simulator.clock import ManualClock
from simulator.runpod import Fleet
from simulator.runpod.history import rent
from tests.simulator.runpod.client import Client
from tests.simulator.runpod.document import Document


def _records(client: Client, **query: str) -> list[Any]:
    records: list[Any] = client.json("GET", "/v2/billing/pods", **query)["records"]
    return records


def test_an_hour_is_billed_where_it_was_spent(client: Client, fleet: Fleet) -> None:
    pod = rent(fleet, "train", price=2.0, created=timedelta(hours=3), exited=timedelta(hours=1, minutes=30))
    hours = _records(client, bucketSize="hour", lastN="5", podId=pod.id)

    assert [(record["startTime"][11:13], round(record["gpuAmount"], 2)) for record in hours] == [
        ("09", 2.0),
        ("10", 1.0),
    ]


def test_a_stopped_pods_later_days_cost_its_volume_only(
    client: Client, fleet: Fleet, clock: ManualClock
) -> None:
    rent(
        fleet,
        "train",
        price=2.0,
        volume_gb=730,
        created=timedelta(days=4),
        exited=timedelta(days=3, hours=18),
    )
    last = _records(client, bucketSize="day", lastN="2")[0]

    assert last["gpuAmount"] == 0
    assert last["diskAmount"] == last["totalAmount"] == pytest.approx(24 * 0.2)


def test_the_totals_are_the_sum_and_agree_with_the_truth(client: Client, fleet: Fleet) -> None:
    pods = [rent(fleet, f"pod-{n}", price=1.0 + n, created=timedelta(days=2)) for n in range(3)]
    answer = client.json("GET", "/v2/billing/pods")

    assert answer["metadata"]["uniquePodCount"] == 3
    assert answer["metadata"]["totals"]["totalAmount"] == pytest.approx(
        sum(fleet.truth(pod.id).billed_usd for pod in pods)
    )


@pytest.mark.parametrize("size", ["hour", "day", "week", "month", "year"])
def test_every_size_of_bucket_fits_the_document(
    size: str, client: Client, fleet: Fleet, clock: ManualClock, document: Document
) -> None:
    rent(fleet, "train", created=timedelta(days=500))
    clock.advance(timedelta(minutes=30))
    assert len(_records(client, bucketSize=size, lastN="2")) == 2

    for request, answer in client.said:
        document.check(request, answer)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"bucketSize": "minute"}, 422),
        ({"lastN": "0"}, 422),
        ({"startTime": "yesterday"}, 422),
        ({"startTime": "2026-11-01T00:00:00"}, 422),
        ({"lastN": "2", "startTime": "2026-11-01T00:00:00Z"}, 400),
        ({"startTime": "2026-11-02T00:00:00Z", "endTime": "2026-11-01T00:00:00Z"}, 400),
    ],
)
def test_a_wrong_question_about_money_is_refused(query: dict[str, str], status: int, client: Client) -> None:
    assert client.call("GET", "/v2/billing/pods", **query).status == status
