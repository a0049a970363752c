"""The guard table: as written by hand, and each of its cells shut once."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as File
from typing import Any

import pytest

from pods.facts import PassFacts
from pods.guards import EVERYWHERE, GUARDS, Bound, Need, OnKeep, OnPause, Path
from pods.limits import Spent
from pods.ownership import Grade
from pods.permission import Allowed, Attempt, Instead, Refusal, Refused, allowed
from pods.phase import Phase
from pods.policy import Policy
from tests.pods.samples import ADMIN, ALICE, BOB, CAROL, a_pass, ago, ahead, exited, never_ran, running

TABLE = File(__file__).with_name("guard_table.txt").read_text().splitlines()
ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE if not row.startswith("#")][1:]

OPEN: dict[Path, Attempt] = {}
"""For each path an attempt with every guard open."""


def _open(path: Path, pod: Any, **different: Any) -> None:
    facts = {"fingerprint_unchanged": True, "ops_channel_reachable": True}
    OPEN[path] = Attempt(pod=pod, pass_=a_pass(), **{**facts, **different})


_UNREACHED = {"bound_to_provision": True, "never_reached": True}
_open(Path.PROVISION_TEARDOWN, never_ran(created_at=ago(minutes=21)), **_UNREACHED)
_open(Path.PROVISION_CANCEL, never_ran(created_at=ago(minutes=2)), **_UNREACHED)
_open(Path.FENCE, running(fence_at=ago(seconds=1), fence_notice_at=ago(minutes=31)))
_open(Path.OWNER, running(), actor=ALICE, owner_may_end=True, shown=True, keep_shown=True)
_open(
    Path.ADMIN,
    running(),
    actor=ADMIN,
    actor_is_admin=True,
    reason_given=True,
    owner_warned_at=ago(minutes=15),
    other_end_open=False,
)
_open(Path.AGENT, running(), own_provision=True, agent_ends_today=19)
_open(Path.NEVER_RAN, never_ran(), in_plan=True, last_look_clear=True, spent=Spent(never_ran=29))
_open(Path.STALE, exited(), in_plan=True, spent=Spent(stale=9))
_open(Path.STOP, running(), actor=ALICE, owner_may_end=True)

SHUT: dict[Need, Callable[[Attempt], Attempt]] = {
    Need.NOT_LOCKED: lambda attempt: _pod(attempt, locked=True),
    Need.NOT_IN_CLUSTER: lambda attempt: _pod(attempt, cluster_member=True),
    Need.FINGERPRINT_UNCHANGED: lambda attempt: replace(attempt, fingerprint_unchanged=False),
    Need.CLOCK_SOUND: lambda attempt: _pass(attempt, clock_doubtful=True),
    Need.OPS_CHANNEL: lambda attempt: replace(attempt, ops_channel_reachable=False),
    Need.BOUND_TO_PROVISION: lambda attempt: replace(attempt, bound_to_provision=False),
    Need.NEVER_REACHED: lambda attempt: replace(attempt, never_reached=False),
    Need.PROVED: lambda attempt: _pod(attempt, in_ledger=False, grade=Grade.CLAIMED),
    Need.NO_CONFLICT: lambda attempt: _pod(attempt, grade=Grade.CONFLICTING),
    Need.NOTICE_RIPE: lambda attempt: _pod(attempt, fence_notice_at=None, stale_notice_at=None),
    Need.STILL_DUE: lambda attempt: _pod(attempt, phase=Phase.RUNNING, has_run=True, fence_at=ahead(hours=1)),
    Need.IN_PLAN: lambda attempt: replace(attempt, in_plan=False),
    Need.LAST_LOOK: lambda attempt: replace(attempt, last_look_clear=False),
    Need.ONE_DEED: lambda attempt: _pod(attempt, deed_in_episode=True),
    Need.RIGHT_TO_END: lambda attempt: replace(attempt, owner_may_end=False),
    Need.ADMIN: lambda attempt: replace(attempt, actor_is_admin=False),
    Need.SOMEBODY_ELSES: lambda attempt: _pod(attempt, owner=ADMIN),
    Need.REASON: lambda attempt: replace(attempt, reason_given=False),
    Need.OWNER_WARNED: lambda attempt: replace(attempt, owner_warned_at=ago(minutes=14, seconds=59)),
    Need.OWN_PROVISION: lambda attempt: replace(attempt, own_provision=False),
}
"""One fact that shuts each need. A fence that lies ahead is not due, and its notice is not asked for."""


def _pod(attempt: Attempt, **different: Any) -> Attempt:
    return replace(attempt, pod=attempt.pod._replace(**different))


def _pass(attempt: Attempt, **different: Any) -> Attempt:
    pass_: PassFacts = replace(attempt.pass_, **different)
    return replace(attempt, pass_=pass_)


KEPT: dict[str, dict[str, Any]] = {
    "kept": {"kept_until": ahead(hours=1)},
    "unreadable": {"keep_unreadable": True},
    "knowing": {"kept_until": ahead(hours=1), "knowing_until": ahead(hours=1)},
    "knowing, lapsed": {"kept_until": ago(hours=1), "knowing_until": ago(hours=1)},
    "flag": {"keep_on_failure": True},
}
STOPPED_BY = {
    OnKeep.NOTHING: set[str](),
    OnKeep.FLAG_STOPS: {"flag"},
    OnKeep.KNOWING_STOPS: {"unreadable", "knowing", "knowing, lapsed", "flag"},
    OnKeep.STOPS: {"kept", "unreadable", "knowing"},
    OnKeep.LIFTED: set[str](),
    OnKeep.STAYS: set[str](),
    OnKeep.CARD: {"kept", "unreadable", "knowing"},
}
OVER: dict[Bound, tuple[Callable[[Attempt], Attempt], Refused | None]] = {
    Bound.COUNTED: (lambda attempt: replace(attempt, spent=Spent(999, 999)), None),
    Bound.SHOWN: (lambda attempt: replace(attempt, shown=False), Refused(Refusal.NOT_SHOWN)),
    Bound.ONE_AT_A_TIME: (
        lambda attempt: replace(attempt, other_end_open=True),
        Refused(Refusal.ONE_AT_A_TIME),
    ),
    Bound.AGENT_PER_DAY: (
        lambda attempt: replace(attempt, agent_ends_today=20),
        Refused(Refusal.OVER_LIMIT, Instead.CARD),
    ),
    Bound.NEVER_RAN: (
        lambda attempt: replace(attempt, spent=Spent(never_ran=30)),
        Refused(Refusal.OVER_LIMIT, Instead.CARD),
    ),
    Bound.STALE: (
        lambda attempt: replace(attempt, spent=Spent(stale=10)),
        Refused(Refusal.OVER_LIMIT, Instead.CARD),
    ),
}


def test_the_table_is_the_one_written_by_hand() -> None:
    rows = [
        [
            path.value,
            " ".join(need.value for need in Need if need in guard.needs),
            guard.on_keep.value,
            guard.arming.value if guard.arming else "-",
            guard.on_pause.value,
            guard.bound.value,
        ]
        for path, guard in GUARDS.items()
    ]

    assert rows == ROWS


def test_every_path_has_a_row() -> None:
    assert list(GUARDS) == list(Path)


@pytest.mark.parametrize("path", Path)
def test_with_every_guard_open_the_path_is_open(path: Path) -> None:
    assert isinstance(allowed(path, OPEN[path]), Allowed)


@pytest.mark.parametrize(
    ("path", "need"), [(path, need) for path in Path for need in EVERYWHERE | GUARDS[path].needs]
)
def test_each_need_shuts_its_path_alone(path: Path, need: Need) -> None:
    assert allowed(path, SHUT[need](OPEN[path])) == Refused(need)


@pytest.mark.parametrize(
    ("path", "need"),
    [(path, need) for path in Path for need in Need if need not in EVERYWHERE | GUARDS[path].needs],
)
def test_what_a_path_does_not_need_does_not_shut_it(path: Path, need: Need) -> None:
    answer = allowed(path, SHUT[need](OPEN[path]))

    implied = {Need.RIGHT_TO_END, Need.STILL_DUE}
    assert isinstance(answer, Allowed) or answer.because in implied


@pytest.mark.parametrize(("path", "keep"), [(path, keep) for path in Path for keep in KEPT])
def test_what_each_keep_does_to_each_path(path: Path, keep: str) -> None:
    on_keep = GUARDS[path].on_keep

    answer = allowed(path, _pod(OPEN[path], **KEPT[keep]))

    if keep in STOPPED_BY[on_keep]:
        instead = Instead.CARD if on_keep is OnKeep.CARD else Instead.NOTHING
        assert answer == Refused(Refusal.KEPT, instead)
    else:
        covered = keep in ("kept", "unreadable", "knowing")
        assert answer == Allowed(lifts_keep=on_keep is OnKeep.LIFTED and covered)


@pytest.mark.parametrize("keep", ["kept", "unreadable"])
def test_a_keep_that_was_not_shown_stops_the_owners_own_end(keep: str) -> None:
    unseen = replace(_pod(OPEN[Path.OWNER], **KEPT[keep]), keep_shown=False)

    assert allowed(Path.OWNER, unseen) == Refused(Refusal.KEPT_SINCE)


@pytest.mark.parametrize("path", Path)
@pytest.mark.parametrize("job", ["never-ran", "stale"])
def test_disarming_a_job_shuts_its_own_path_only(path: Path, job: str) -> None:
    disarmed = {"never-ran": "armed_never_ran", "stale": "armed_stale"}[job]

    answer = allowed(path, _pass(OPEN[path], **{disarmed: False}))

    if GUARDS[path].arming == job:
        assert answer == Refused(Refusal.DISARMED)
    else:
        assert isinstance(answer, Allowed)


@pytest.mark.parametrize("path", Path)
def test_a_pause_shuts_every_path(path: Path) -> None:
    put_off = GUARDS[path].on_pause is OnPause.PUT_OFF

    answer = allowed(path, _pass(OPEN[path], paused=True))

    assert answer == Refused(Refusal.PAUSED, Instead.LATER if put_off else Instead.NOTHING)


@pytest.mark.parametrize("path", Path)
def test_over_its_limit_a_path_is_shut(path: Path) -> None:
    exceed, refused = OVER[GUARDS[path].bound]

    answer = allowed(path, exceed(OPEN[path]))

    assert answer == refused if refused else isinstance(answer, Allowed)


@pytest.mark.parametrize("path", Path)
def test_an_attempt_of_which_nothing_is_known_is_refused(path: Path) -> None:
    assert isinstance(allowed(path, Attempt(pod=OPEN[path].pod, pass_=a_pass())), Refused)


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        (Path.NEVER_RAN, Policy(never_ran_max_per_day=0)),
        (Path.STALE, Policy(max_reaps_per_day=0)),
        (Path.AGENT, Policy(agent_ends_per_day=0)),
    ],
)
def test_a_limit_of_zero_allows_none(path: Path, policy: Policy) -> None:
    none_yet = replace(OPEN[path], spent=Spent(), agent_ends_today=0)

    answer = allowed(path, _pass(none_yet, policy=policy))

    assert answer == Refused(Refusal.OVER_LIMIT, Instead.CARD)


@pytest.mark.parametrize("path", [Path.OWNER, Path.STOP])
@pytest.mark.parametrize("somebody", [BOB, CAROL, ADMIN, None])
def test_nobody_but_the_owner_ends_a_pod_as_its_owner(path: Path, somebody: Any) -> None:
    attempt = replace(OPEN[path], actor=somebody, actor_is_admin=True)

    assert allowed(path, attempt) == Refused(Need.RIGHT_TO_END)


def test_a_pod_without_an_owner_is_ended_by_nobody_as_its_owner() -> None:
    ownerless = _pod(replace(OPEN[Path.OWNER], actor=None), owner=None)

    assert allowed(Path.OWNER, ownerless) == Refused(Need.RIGHT_TO_END)


def test_an_admin_needs_no_warning_for_a_pod_that_never_ran() -> None:
    attempt = replace(OPEN[Path.ADMIN], pod=never_ran(), owner_warned_at=None)

    assert isinstance(allowed(Path.ADMIN, attempt), Allowed)


def test_a_warning_that_could_not_be_delivered_allows_no_end() -> None:
    assert allowed(Path.ADMIN, replace(OPEN[Path.ADMIN], owner_warned_at=None)) == Refused(Need.OWNER_WARNED)


def test_the_never_ran_watcher_may_end_a_pod_on_which_claims_conflict() -> None:
    assert isinstance(allowed(Path.NEVER_RAN, SHUT[Need.NO_CONFLICT](OPEN[Path.NEVER_RAN])), Allowed)
