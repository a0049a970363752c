"""Pods, passes and attempts as odd as can be told, each a few facts away from one that is plainly ended."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import cycle, islice, product
from typing import Any

from hypothesis import strategies as st

from pods.facts import PodFacts, Sight
from pods.limits import Spent
from pods.ownership import Grade
from pods.permission import Attempt
from pods.phase import Phase
from pods.policy import Policy
from tests.pods.samples import ALICE, BOB, NOW, a_pass, ago, exited, never_ran, running

FENCED = running(fence_at=NOW, fence_notice_at=ago(hours=1))
_MINUTES = [0, 1, 5, 15, 20, 21, 30, 59, 60, 61, 119, 1439, 1440, 1441, 2880, 6000]

MOMENTS: list[datetime] = sorted(
    {
        NOW + sign * timedelta(minutes=minutes, seconds=second)
        for minutes, second, sign in product(_MINUTES, (-1, 0, 1), (-1, 1))
    }
)
"""Around everything that is counted from or to."""

_TIMES = [
    "created_at",
    "create_called_at",
    "provision_deadline",
    "heartbeat_at",
    "progress_at",
    "fence_at",
    "first_seen_at",
    "nulls_since",
    "error_since",
    "exited_since",
    "provider_exited_at",
    "kept_until",
    "knowing_until",
    "stale_notice_at",
    "fence_notice_at",
]
_FLAGS = [
    "cluster_member",
    "locked",
    "in_ledger",
    "failed_alive",
    "moved_or_copied",
    "keep_on_failure",
    "at_first_listing",
    "watched_from_birth",
    "has_run",
    "first_seen_exited",
    "keep_unreadable",
    "ending",
    "deed_in_episode",
]
_CHOICES: dict[str, Iterable[Any]] = {
    "sight": Sight,
    "phase": [*Phase, None],
    "grade": Grade,
    "owner": [ALICE, BOB, None],
    "counting": [0, 4, 5],
    "nulls": [0, 4, 5],
}

_AS_LIKELY = len(MOMENTS) + 1

Change = tuple[str, Any]


def _pod(base: PodFacts, changes: list[Change]) -> PodFacts:
    return base._replace(**dict(changes))


def _one_of(choices: dict[str, Iterable[Any]]) -> st.SearchStrategy[Change]:
    """One field, with one of its values. Each field is as likely as each other; one draw is quick."""
    return st.sampled_from(
        [(name, value) for name, values in choices.items() for value in islice(cycle(values), _AS_LIKELY)]
    )


_POD_CHANGES = _one_of(
    {name: [*MOMENTS, None] for name in _TIMES} | {name: [False, True] for name in _FLAGS} | _CHOICES
)
PODS: st.SearchStrategy[PodFacts] = st.builds(
    _pod,
    st.sampled_from([exited(), never_ran(), FENCED, running()]),
    st.lists(_POD_CHANGES, max_size=6),
)

_BITS = [False, True]
PASSES = st.sampled_from(
    [
        a_pass(
            listing_complete=complete,
            clock_doubtful=doubtful,
            witness_out=out,
            armed_never_ran=never,
            armed_stale=stale,
            paused=paused,
            policy=Policy(never_ran_reaps_kept=kept),
        )
        for complete, never, stale, kept, doubtful, out, paused in product(
            _BITS[::-1], _BITS[::-1], _BITS[::-1], _BITS[::-1], _BITS, _BITS, _BITS
        )
    ]
)
SPENT = st.builds(Spent, st.sampled_from([0, 9, 10, 12]), st.sampled_from([0, 29, 30, 40]))

_OPEN = Attempt(
    pod=running(),
    pass_=a_pass(),
    fingerprint_unchanged=True,
    ops_channel_reachable=True,
    bound_to_provision=True,
    never_reached=True,
    actor=ALICE,
    owner_may_end=True,
    actor_is_admin=True,
    reason_given=True,
    owner_warned_at=ago(hours=1),
    own_provision=True,
    shown=True,
    other_end_open=False,
    agent_ends_today=0,
    in_plan=True,
    last_look_clear=True,
    spent=Spent(),
)
_ATTEMPT_CHANGES = _one_of(
    {
        "fingerprint_unchanged": _BITS,
        "ops_channel_reachable": _BITS,
        "bound_to_provision": _BITS,
        "never_reached": _BITS,
        "actor": [ALICE, BOB, None],
        "owner_may_end": _BITS,
        "actor_is_admin": _BITS,
        "reason_given": _BITS,
        "owner_warned_at": [None, *MOMENTS],
        "own_provision": _BITS,
        "shown": _BITS,
        "other_end_open": _BITS,
        "agent_ends_today": [None, 0, 19, 20],
        "in_plan": _BITS,
        "last_look_clear": _BITS,
        "spent": [None, Spent(), Spent(10, 30)],
    }
)
ATTEMPTS: st.SearchStrategy[Attempt] = st.builds(
    lambda pod, pass_, changes: replace(_OPEN, **{"pod": pod, "pass_": pass_, **dict(changes)}),
    PODS,
    PASSES,
    st.lists(_ATTEMPT_CHANGES, max_size=3),
)
