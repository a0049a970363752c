"""Which listing is believed, and which missing pod is gone."""

from datetime import datetime
from typing import Any

import pytest

from pods.ids import PodId
from pods.listings import Absence, Absences, Fleet, absences, answered_200, answered_404
from pods.snapshot import Listing, Unreadable
from tests.pods.samples import NOW, ago, snapshot

ONE = frozenset({PodId("pod2")})


def pods(count: int, begin: int = 0) -> frozenset[PodId]:
    return frozenset(PodId(f"pod{n}") for n in range(begin, begin + count))


def listing(shown: frozenset[PodId], created_at: datetime | None = None, **different: Any) -> Listing:
    facts: dict[str, Any] = {"at": NOW, "whole": True}
    entries = {str(pod_id): snapshot(pod_id, created_at or ago(days=9)) for pod_id in shown}
    return Listing(pods=entries, **{**facts, **different})


def fleet(believed: frozenset[PodId], **different: Any) -> Fleet:
    return Fleet(**{"pods": believed, "confirmed": True, "last_at": ago(minutes=1), **different})


def judged(
    shown: frozenset[PodId], before: Fleet, known: dict[PodId, Absence] | None = None, **different: Any
) -> Absences:
    return absences(listing(shown, **different), before, known or {}, 0.7)


TWICE_404 = Absence(first_404_at=ago(minutes=1), last_404_at=NOW)
BY_US = Absence(ended_by_us=True)


def test_a_listing_that_shows_everything_is_complete() -> None:
    found = judged(pods(3), fleet(pods(3)))

    assert found.complete
    assert found.why is None


def test_an_answer_that_was_not_whole_says_nothing_of_what_is_missing() -> None:
    found = judged(
        pods(1), fleet(pods(3)), {PodId("pod2"): TWICE_404}, whole=False, why_not_whole="Page 2: 500."
    )

    assert not found.complete
    assert found.gone == frozenset()
    assert found.why == "Page 2: 500."
    assert found.fleet.pods == pods(3)


def test_an_unreadable_entry_does_not_spoil_the_listing() -> None:
    with_one_unreadable = Listing(
        at=NOW, pods={"pod0": Unreadable("pod0", "status is 7"), "pod1": snapshot("pod1", None)}, whole=True
    )

    assert absences(with_one_unreadable, fleet(pods(2)), {}, 0.7).complete


def test_a_missing_pod_is_asked_for_by_id_and_not_gone() -> None:
    found = judged(pods(2), fleet(pods(3)))

    assert (found.complete, found.gone) == (False, frozenset())
    assert found.unexplained == found.ask == {PodId("pod2")}


def test_our_own_confirmed_end_explains_an_absence_at_once() -> None:
    found = judged(pods(2), fleet(pods(3)), {PodId("pod2"): BY_US})

    assert (found.complete, found.gone, found.ask) == (True, ONE, frozenset())


def test_one_404_explains_nothing_and_the_second_is_due_a_minute_later() -> None:
    early = judged(pods(2), fleet(pods(3)), {PodId("pod2"): answered_404(Absence(), ago(seconds=59))})
    late = judged(pods(2), fleet(pods(3)), {PodId("pod2"): answered_404(Absence(), ago(seconds=60))})

    assert (early.gone, early.ask) == (frozenset(), frozenset())
    assert (late.gone, late.ask) == (frozenset(), ONE)


@pytest.mark.parametrize(("apart", "gone"), [(59, False), (60, True)])
def test_two_404s_explain_an_absence_if_they_are_a_minute_apart(apart: int, gone: bool) -> None:
    absence = answered_404(answered_404(Absence(), ago(seconds=apart)), NOW)

    found = judged(pods(2), fleet(pods(3)), {PodId("pod2"): absence})

    assert (found.gone == {PodId("pod2")}) is gone
    assert found.complete is gone


def test_a_pod_that_answers_shows_that_the_listing_lies() -> None:
    absence = answered_404(answered_200(answered_404(Absence(), ago(minutes=2))), NOW)

    found = judged(pods(2), fleet(pods(3)), {PodId("pod2"): absence})

    assert not found.complete


def test_a_team_of_three_that_ends_one_pod_is_not_blind() -> None:
    found = judged(pods(2), fleet(pods(3)), {PodId("pod2"): TWICE_404})

    assert (found.complete, found.blind, found.alarm) == (True, False, False)


def test_if_every_pod_is_missing_404s_explain_nothing() -> None:
    found = judged(frozenset(), fleet(pods(3)), dict.fromkeys(pods(3), TWICE_404))

    assert (found.blind, found.alarm, found.complete) == (True, True, False)
    assert (found.gone, found.ask) == (frozenset(), frozenset())


def test_another_scope_that_shows_other_pods_is_blind_as_well() -> None:
    found = judged(pods(5, begin=100), fleet(pods(3)), dict.fromkeys(pods(3), TWICE_404))

    assert found.blind
    assert found.fleet.pods == pods(3)


def test_pods_that_we_ended_all_of_leave_an_empty_account_that_is_believed() -> None:
    found = judged(frozenset(), fleet(pods(3)), dict.fromkeys(pods(3), BY_US))

    assert (found.blind, found.complete, found.gone) == (False, True, pods(3))


def test_ending_all_but_one_and_missing_that_one_is_blind() -> None:
    known = dict.fromkeys(pods(2), BY_US) | {PodId("pod2"): TWICE_404}

    found = judged(frozenset(), fleet(pods(3)), known)

    assert (found.blind, found.gone) == (True, frozenset())


def test_an_admin_can_say_that_the_fleet_is_empty() -> None:
    found = judged(frozenset(), fleet(pods(3), said_empty=True))

    assert (found.blind, found.complete, found.gone) == (False, True, pods(3))
    assert not found.fleet.said_empty


def test_saying_that_it_is_empty_explains_nothing_where_pods_are_left() -> None:
    assert not judged(pods(1), fleet(pods(3), said_empty=True)).complete


@pytest.mark.parametrize(
    ("before", "missing", "alarm"), [(10, 3, False), (10, 4, True), (4, 2, False), (4, 3, True), (9, 3, True)]
)
def test_the_alarm_needs_three_missing_and_less_than_the_share(
    before: int, missing: int, alarm: bool
) -> None:
    assert judged(pods(before - missing), fleet(pods(before))).alarm is alarm


def test_what_we_ended_ourselves_raises_no_alarm() -> None:
    assert not judged(pods(2), fleet(pods(6)), dict.fromkeys(pods(4, begin=2), BY_US)).alarm


def test_the_very_first_listing_is_not_believed() -> None:
    found = judged(pods(3), Fleet())

    assert (found.complete, found.fleet.confirmed) == (False, False)


def test_a_second_listing_that_agrees_is_believed() -> None:
    first = judged(pods(3), Fleet(), at=ago(minutes=1)).fleet

    found = judged(pods(3), first)

    assert (found.complete, found.fleet.confirmed) == (True, True)


def test_a_second_listing_may_show_what_was_made_since() -> None:
    first = judged(pods(3), Fleet(), at=ago(minutes=1)).fleet
    newer = dict(listing(pods(3)).pods) | {"new": snapshot("new", ago(seconds=30))}

    assert absences(Listing(at=NOW, pods=newer, whole=True), first, {}, 0.7).complete


@pytest.mark.parametrize("second", [pods(2), pods(5), frozenset[PodId]()])
def test_a_second_listing_that_disagrees_needs_a_third(second: frozenset[PodId]) -> None:
    first = judged(pods(3), Fleet(), at=ago(minutes=1)).fleet

    found = judged(second, first)

    assert (found.complete, found.fleet.confirmed) == (False, False)


def test_a_missing_pod_stays_believed_until_it_is_explained() -> None:
    first = judged(pods(2), fleet(pods(3)))

    later = judged(pods(2), first.fleet, {PodId("pod2"): TWICE_404})

    assert first.fleet.pods == pods(3)
    assert later.fleet.pods == pods(2)


def test_forty_percent_missing_ends_nothing_and_alarms() -> None:
    found = judged(pods(60), fleet(pods(100)))

    assert (found.complete, found.alarm, found.gone) == (False, True, frozenset())


def test_what_a_second_listing_lacks_of_the_first_stays_missing_until_it_is_explained() -> None:
    second = judged(frozenset({PodId("pod0")}), fleet(pods(3), confirmed=False), {})
    third = judged(frozenset({PodId("pod0")}), second.fleet, {})

    assert (second.complete, third.complete) == (False, False)
    assert third.unexplained == {PodId("pod1"), PodId("pod2")}
