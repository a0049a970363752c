"""What listings showed and what it came to over time: back as it was, and no bigger than the changes."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import func
from sqlmodel import select

from pods.episodes import Change, Observation, PodHistory, first, observe
from pods.facts import Sight
from pods.has_run import Sign
from pods.ids import PodId, ProvisionId, UserId
from pods.listings import Absence
from pods.ownership import LedgerRecord
from pods.phase import Phase, Status
from pods.snapshot import Listing, Mounts, Snapshot, SshEndpoint, Unreadable
from storage import fleet, history, pod
from storage.columns import FreeText
from storage.database import Database
from storage.history import EpisodeRow, Step
from tests.storage.wishes import take, wish, wished, with_call, write

MINUTE = timedelta(minutes=1)
MAX_GAP = timedelta(minutes=5)
POD = PodId("pod1")


def shown(now: datetime, pod_id: str = POD) -> Snapshot:
    return Snapshot(
        pod_id=pod_id,
        name="train-aaaaaaaa",
        status=Status.RUNNING,
        shows_life=True,
        created_at=now - MINUTE,
        started_at=None,
        gpu_type="NVIDIA H100",
        gpu_count=4,
        usd_per_hour=9.96,
        data_center="EU-RO-1",
        cloud="SECURE",
        image="image:tag",
        mounts=Mounts(20, "/workspace", ("vol1", "vol2"), "/net"),
        container_disk_gb=50,
        ssh=SshEndpoint("192.0.2.1", 22022),
        locked=False,
        cluster_member=False,
        provision_mark="aaaaaaaa",
        create_mark="token1",
        actions=("stop", "terminate"),
    )


def listed(database: Database, now: datetime, *pods: Snapshot | Unreadable) -> None:
    listing = Listing(now, {entry.pod_id: entry for entry in pods}, whole=True)
    phases = {PodId(entry.pod_id): Phase.RUNNING for entry in pods}
    database.run_now(lambda session: pod.put_listing(session, listing, phases))


@pytest.mark.parametrize(("then", "now_known"), [(None, 9.96), (3.5, 3.5)])
def test_the_last_price_that_was_shown_stays_known(
    database: Database, now: datetime, then: float | None, now_known: float
) -> None:
    listed(database, now, shown(now))

    listed(database, now + MINUTE, replace(shown(now), usd_per_hour=then, data_center=None))

    found = database.read_now(lambda session: pod.snapshot(session, POD))
    assert found is not None
    assert (found.usd_per_hour, found.data_center) == (now_known, None)


def look(now: datetime, phase: Phase, pod_id: PodId = POD) -> Observation:
    return Observation(pod_id, now, phase, shows_life=phase is Phase.RUNNING, started_at=None, counts=True)


def watched(database: Database, *looks: Observation) -> PodHistory:
    """Store a pod's history look by look, as the observation job does."""
    present = first(looks[0], at_first_listing=False)
    steps = [Step(None, present)]
    for seen in looks[1:]:
        before = present
        present, change = observe(before, seen, MAX_GAP)
        assert change is not Change.IGNORED
        steps.append(Step(before, present))
    for step in steps:
        database.run_now(partial(history.put_histories, steps=[step]))
    return present


def test_a_snapshot_comes_back_as_it_was(database: Database, now: datetime) -> None:
    listed(database, now, shown(now))

    assert database.read_now(pod.snapshots) == {POD: shown(now)}
    assert database.read_now(lambda session: pod.snapshot(session, POD)) == shown(now)


def test_unknown_stays_unknown(database: Database, now: datetime) -> None:
    bare = replace(
        shown(now), created_at=None, mounts=None, ssh=None, usd_per_hour=None, gpu_count=None, actions=()
    )
    listed(database, now, bare)

    assert database.read_now(pod.snapshots) == {POD: bare}


def test_the_newest_listing_is_what_is_shown(database: Database, now: datetime) -> None:
    listed(database, now, shown(now))
    listed(database, now + MINUTE, replace(shown(now), ssh=None, status=Status.EXITED))

    assert database.read_now(pod.snapshots)[POD].status is Status.EXITED
    assert database.read_now(pod.snapshots)[POD].ssh is None


def test_an_unreadable_entry_spoils_only_itself(database: Database, now: datetime) -> None:
    other = shown(now, "pod2")
    listed(database, now, shown(now), other)

    listed(database, now + MINUTE, Unreadable(POD, "cost is a list"), other)

    sights = {seen.pod_id: seen.sight for seen in database.read_now(lambda s: fleet.fleet(s, now))}
    assert sights == {POD: Sight.UNREADABLE, "pod2": Sight.SEEN}
    assert database.read_now(pod.snapshots)[POD] == shown(now)


def test_a_pod_that_was_never_readable_is_known_all_the_same(database: Database, now: datetime) -> None:
    listed(database, now, Unreadable(POD, "no status"))

    [seen] = database.read_now(lambda session: fleet.fleet(session, now))
    assert (seen.pod_id, seen.sight, seen.first_seen_at) == (POD, Sight.UNREADABLE, None)
    assert database.read_now(pod.snapshots) == {}


def test_what_was_learned_of_a_missing_pod_is_kept_until_it_is_listed_again(
    database: Database, now: datetime
) -> None:
    listed(database, now, shown(now))
    database.run_now(partial(pod.mark_missing, pod_ids=[POD]))
    database.run_now(partial(pod.put_absence, pod_id=POD, absence=Absence(False, now, now + MINUTE)))

    known = database.read_now(lambda session: pod.absences_known(session, [POD]))
    listed(database, now + 2 * MINUTE, shown(now))

    assert known == {POD: Absence(False, now, now + MINUTE)}
    assert database.read_now(lambda session: pod.absences_known(session, [POD])) == {}


def test_an_end_by_us_is_part_of_what_is_known(database: Database, now: datetime) -> None:
    listed(database, now, shown(now))

    known = database.read_now(lambda session: pod.absences_known(session, [POD], [POD]))

    assert known == {POD: Absence(ended_by_us=True)}


def test_gone_is_said_once_and_leaves_the_fleet_after_a_while(database: Database, now: datetime) -> None:
    listed(database, now, shown(now))
    for at in (now, now + MINUTE):
        database.run_now(partial(pod.mark_gone, pod_ids=[POD], at=at, why="404, twice"))

    [seen] = database.read_now(lambda session: fleet.fleet(session, now))
    later = database.read_now(lambda session: fleet.fleet(session, now + MINUTE))

    assert (seen.phase, seen.gone_at, later) == (Phase.GONE, now, [])
    assert database.read_now(pod.snapshots) == {}
    assert database.read_now(lambda session: pod.is_known(session, POD))


def test_a_pod_is_found_by_its_id_and_by_its_name_at_runpod(database: Database, now: datetime) -> None:
    listed(database, now, shown(now), shown(now, "pod2"))

    called = {
        text: database.read_now(partial(pod.pods_called, text=text))
        for text in ("pod2", "train-aaaaaaaa", "x")
    }

    assert called == {"pod2": ["pod2"], "train-aaaaaaaa": ["pod1", "pod2"], "x": []}


def test_a_history_comes_back_as_it_was(database: Database, now: datetime) -> None:
    listed(database, now, shown(now))
    phases = (Phase.ALLOCATING, Phase.RUNNING, Phase.RUNNING, Phase.EXITED)
    after = watched(database, *(look(now + n * MINUTE, phase) for n, phase in enumerate(phases)))

    assert database.read_now(history.histories) == {POD: after}
    assert database.read_now(lambda session: history.history(session, POD)) == after


def test_polls_extend_a_row_and_only_changes_add_one(database: Database, now: datetime) -> None:
    watched(database, *(look(now + n * MINUTE, Phase.RUNNING) for n in range(50)))
    before = database.read_now(
        lambda session: session.exec(select(func.count()).select_from(EpisodeRow)).one()
    )

    [episode] = database.read_now(lambda session: history.episodes_of(session, POD))

    assert (before, episode.observations, episode.until) == (0, 50, now + 49 * MINUTE)


def test_a_change_of_phase_closes_an_episode_for_good(database: Database, now: datetime) -> None:
    phases = (Phase.ALLOCATING, Phase.ALLOCATING, Phase.RUNNING, Phase.EXITED)
    watched(database, *(look(now + n * MINUTE, phase) for n, phase in enumerate(phases)))

    episodes = database.read_now(lambda session: history.episodes_of(session, POD))

    assert [(episode.phase, episode.observations) for episode in episodes] == [
        (Phase.ALLOCATING, 2),
        (Phase.RUNNING, 1),
        (Phase.EXITED, 1),
    ]
    assert episodes[0].longest_gap == MINUTE


def test_a_sign_of_life_never_expires_and_keeps_its_first_time(database: Database, now: datetime) -> None:
    news = [
        database.run_now(partial(history.saw_life, pod_id=POD, sign=Sign.BANNER, at=at))
        for at in (now, now + MINUTE)
    ]

    assert news == [True, False]
    assert database.read_now(history.signs_of_life) == {POD: {Sign.BANNER: now}}


def test_the_facts_of_a_pod_join_listing_history_and_ledger(database: Database, now: datetime) -> None:
    listed(database, now, shown(now), shown(now, "pod2"))
    after = watched(database, look(now, Phase.RUNNING))
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    database.run_now(write(taken, with_call(wished(now), now, POD), now))

    facts = {seen.pod_id: seen for seen in database.read_now(lambda session: fleet.fleet(session, now))}

    ours, other = facts[POD], facts[PodId("pod2")]
    assert (ours.first_seen_at, ours.counting, ours.open_phase) == (now, after.counting, after.open_phase)
    assert ours.ledger is not None
    assert (ours.ledger.owner, ours.ledger.called_at, ours.stage) == ("U1", now, "creating")
    assert other[2:] == (*other[2:8], *[None] * 23)
    assert other.ledger is None


@pytest.mark.parametrize(("phase", "since"), [(Phase.ERROR, 1 * MINUTE), (Phase.EXITED, None)])
def test_a_pod_is_in_error_since_its_open_episode_of_that(
    database: Database, now: datetime, phase: Phase, since: timedelta | None
) -> None:
    listed(database, now, shown(now))
    watched(database, look(now, Phase.RUNNING), look(now + MINUTE, phase), look(now + 2 * MINUTE, phase))

    [seen] = database.read_now(lambda session: fleet.fleet(session, now))

    assert seen.error_since == (now + since if since else None)


def test_the_facts_of_a_pod_are_the_columns_of_their_query(now: datetime) -> None:
    wanted = fleet.facts_of_all(now).selected_columns

    assert tuple(column.key for column in wanted) == fleet.FleetPod._fields


def test_a_pod_that_no_listing_has_shown_is_known_by_the_ledger_alone(
    database: Database, now: datetime
) -> None:
    database.run_now(wish(wished(now), now))
    [taken] = database.run_now(take(now))
    database.run_now(write(taken, with_call(wished(now), now, POD), now))

    ours, nobodys = database.read_now(
        lambda session: [fleet.never_listed(session, pod_id) for pod_id in (POD, "pod2")]
    )

    assert (ours.sight, ours.first_seen_at, ours.stage) == ("missing", None, "creating")
    assert ours.ledger == LedgerRecord(POD, ProvisionId("aaaaaaaa"), UserId("U1"), now)
    assert nobodys.ledger is None


def test_the_judgement_is_given_no_words_of_anybody(now: datetime) -> None:
    wanted = list(fleet.facts_of_all(now).selected_columns)

    assert [column.name for column in wanted if isinstance(column.type, FreeText)] == []


@pytest.mark.parametrize("table", [pod.PodRow, history.HistoryRow])
def test_names_and_reports_are_typed_as_words(table: type) -> None:
    words = {"name", "image", "unreadable", "status_text"}
    columns = table.__table__.c  # type: ignore[attr-defined]

    assert {column.name for column in columns if isinstance(column.type, FreeText)} == words & set(
        columns.keys()
    )
