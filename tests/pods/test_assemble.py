"""One pod's facts, put together from a listing, a history and our own records."""

from dataclasses import replace
from typing import Any

import pytest

from pods.assemble import OwnRecords, assemble
from pods.episodes import PodHistory
from pods.facts import PodFacts, Sight
from pods.keeps import Protection
from pods.ownership import Grade, Ownership
from pods.phase import Phase, Status
from pods.policy import Policy
from pods.snapshot import Snapshot, SshEndpoint, Unreadable
from tests.pods.observing import every_minute, look, watched
from tests.pods.samples import ALICE, NOW, POD, ago, ahead, snapshot

NOBODY = Ownership(Grade.UNKNOWN, None, False, None, None, (), False, None)
MINE = Ownership(Grade.PROVED, ALICE, True, ALICE, None, (ALICE,), True, None)
STOPPED = watched(look(ago(minutes=61), Phase.RUNNING), *every_minute(Phase.EXITED, ago(hours=1), NOW))


def shown(status: Status, **different: Any) -> Snapshot:
    facts = {"status": status, "shows_life": status is Status.RUNNING}
    return replace(snapshot(POD, ago(days=2)), **{**facts, **different})


def facts(
    seen: Snapshot | Unreadable | None, history: PodHistory | None = None, **different: Any
) -> PodFacts:
    rest: dict[str, Any] = {
        "gone": False,
        "ownership": NOBODY,
        "protection": Protection(None, False, None),
        "records": OwnRecords(),
        "text": None,
        "now": NOW,
        "policy": Policy(),
    }
    return assemble(POD, seen, history=history, **{**rest, **different})


def test_a_pod_that_cannot_be_read_has_no_phase() -> None:
    found = facts(Unreadable(POD, "status is 7"), STOPPED)

    assert (found.sight, found.phase) == (Sight.UNREADABLE, None)


def test_a_pod_that_is_missing_has_no_phase_unless_that_is_explained() -> None:
    missing = facts(None, STOPPED)
    gone = facts(None, STOPPED, gone=True)

    assert (missing.sight, missing.phase) == (Sight.MISSING, None)
    assert (gone.sight, gone.phase) == (Sight.SEEN, Phase.GONE)


@pytest.mark.parametrize(
    ("seen", "text", "phase"),
    [
        (shown(Status.PROVISIONING), None, Phase.ALLOCATING),
        (shown(Status.RUNNING), None, Phase.RUNNING),
        (shown(Status.RUNNING, shows_life=False), None, Phase.NO_RUNTIME),
        (shown(Status.EXITED, shows_life=True), None, Phase.EXITED),
        (shown(Status.EXITED), "Terminated by user: today", Phase.GONE),
        (shown(Status.RUNNING), "Terminated by user: today", Phase.RUNNING),
    ],
)
def test_the_phase_is_what_status_life_and_text_mean_together(
    seen: Snapshot, text: str | None, phase: Phase
) -> None:
    assert facts(seen, text=text).phase is phase


@pytest.mark.parametrize(
    ("seen", "history", "records"),
    [
        (shown(Status.RUNNING), None, OwnRecords()),
        (shown(Status.EXITED, shows_life=True), None, OwnRecords()),
        (shown(Status.PROVISIONING, ssh=SshEndpoint("203.0.113.7", 22022)), None, OwnRecords()),
        (shown(Status.PROVISIONING), STOPPED, OwnRecords()),
        (shown(Status.PROVISIONING), None, OwnRecords(ran_besides=True)),
    ],
)
def test_one_sign_of_having_run_is_enough_wherever_it_was_seen(
    seen: Snapshot, history: PodHistory | None, records: OwnRecords
) -> None:
    assert facts(seen, history, records=records).has_run


def test_without_any_sign_it_is_not_known_to_have_run() -> None:
    silent = watched(*every_minute(Phase.NO_RUNTIME, ago(minutes=9), NOW))

    assert not facts(shown(Status.RUNNING, shows_life=False), silent).has_run


def test_the_history_tells_since_when_it_is_exited_and_how_often_it_was_looked_at() -> None:
    found = facts(shown(Status.EXITED), STOPPED)

    assert (found.exited_since, found.first_seen_exited) == (ago(hours=1), False)
    assert (found.first_seen_at, found.counting) == (ago(minutes=61), 62)


def test_a_pod_without_a_history_is_neither_watched_nor_exited_since_any_time() -> None:
    found = facts(shown(Status.EXITED))

    assert (found.watched_from_birth, found.exited_since, found.first_seen_at) == (False, None, None)


def test_since_when_it_is_in_error_is_the_beginning_of_that_episode() -> None:
    broken = watched(look(ago(minutes=9), Phase.RUNNING), *every_minute(Phase.ERROR, ago(minutes=8), NOW))

    assert facts(shown(Status.ERROR), broken).error_since == ago(minutes=8)


def test_ownership_keeps_and_records_are_taken_over_as_they_are() -> None:
    found = facts(
        shown(Status.RUNNING),
        ownership=MINE,
        protection=Protection(ahead(hours=1), True, ago(hours=1)),
        records=OwnRecords(fence_at=ahead(hours=9), failed_alive=True, ending=True),
    )

    assert (found.grade, found.owner, found.in_ledger) == (Grade.PROVED, ALICE, True)
    assert (found.kept_until, found.keep_unreadable, found.knowing_until) == (
        ahead(hours=1),
        True,
        ago(hours=1),
    )
    assert (found.fence_at, found.failed_alive, found.ending) == (ahead(hours=9), True, True)
