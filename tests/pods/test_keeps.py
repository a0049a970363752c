"""What several keeps of one pod come to."""

from datetime import datetime
from typing import Any

import pytest

from pods.keeps import KeepTag, Protection, protection
from tests.pods.samples import ALICE, NOW, POD, ago, ahead


def keep(**different: Any) -> KeepTag:
    facts = {"given_at": ago(hours=2), "until": ahead(hours=1), "told_never_ran_at": None}
    return KeepTag(pod_id=POD, by=ALICE, **{**facts, **different})


def test_no_keep_protects_nothing() -> None:
    assert protection([]) == Protection(None, False, None)
    assert not protection([]).covers(NOW)


def test_the_longest_keep_counts() -> None:
    assert protection([keep(until=ahead(hours=5)), keep()]).kept_until == ahead(hours=5)


@pytest.mark.parametrize(("now", "covered"), [(ahead(minutes=59, seconds=59), True), (ahead(hours=1), False)])
def test_a_keep_protects_up_to_its_end_and_not_at_it(now: datetime, covered: bool) -> None:
    assert protection([keep()]).covers(now) is covered


def test_a_keep_that_cannot_be_read_counts_as_a_keep() -> None:
    found = protection([keep(until=None)])

    assert found.unreadable
    assert found.covers(ahead(days=999))


def test_a_keep_that_was_lifted_is_over_whether_it_could_be_read_or_not() -> None:
    found = protection([keep(lifted_at=ago(hours=1)), keep(until=None, lifted_at=ago(minutes=30))])

    assert found == Protection(ago(minutes=30), False, None)


@pytest.mark.parametrize(
    ("told_at", "knowing"), [(None, False), (ago(hours=3), True), (ago(hours=2), True), (ago(hours=1), False)]
)
def test_a_keep_is_knowing_if_it_was_given_after_being_told(told_at: datetime | None, knowing: bool) -> None:
    found = protection([keep(told_never_ran_at=told_at)])

    assert (found.knowing_until == ahead(hours=1)) is knowing


def test_a_knowing_keep_that_is_over_is_remembered() -> None:
    found = protection([keep(until=ago(hours=1), told_never_ran_at=ago(hours=3))])

    assert found.knowing_until == ago(hours=1)
    assert not found.covers(NOW)
