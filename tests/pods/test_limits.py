"""The limits on harm: each one tripped, on each path into a plan."""

from dataclasses import replace
from typing import Any

import pytest

from pods.facts import PodFacts
from pods.ids import PodId, UserId
from pods.limits import Exceeded, Limit, Spent, share_allowed
from pods.plan import Plan, make_plan
from pods.policy import Policy
from pods.verdict import Held, Reap
from tests.pods.samples import a_pass, ago, exited, never_ran, running

WIDE = Policy(max_reaps_per_owner=1000, max_reaps_per_pass=1000, max_reaps_per_day=1000, max_reaps_share=1.0)


def named(pods: list[PodFacts]) -> list[PodFacts]:
    return [pod._replace(pod_id=PodId(f"pod{n}")) for n, pod in enumerate(pods)]


def stale(count: int, **different: Any) -> list[PodFacts]:
    """Each of another owner, among so many pods of ours that the share does not matter."""
    owners = [UserId(f"U{n}") for n in range(count)]
    return [exited(owner=owner, **different) for owner in owners]


def plan(
    pods: list[PodFacts], policy: Policy | None = None, spent: Spent | None = None, **different: Any
) -> Plan:
    return make_plan(named(pods), a_pass(policy=policy or Policy(), **different), spent or Spent())


MANY_RUNNING = [running()] * 100


def limits_of(found: Plan) -> set[Limit]:
    return {exceeded.limit for exceeded in found.exceeded}


def test_five_stale_pods_of_five_owners_are_ended() -> None:
    found = plan(stale(5) + MANY_RUNNING)

    assert len(found.ends) == 5
    assert found.exceeded == ()


@pytest.mark.parametrize(
    ("policy", "limit"),
    [
        (replace(WIDE, max_reaps_per_pass=10), Limit.STALE_PER_PASS),
        (replace(WIDE, max_reaps_per_day=10), Limit.STALE_PER_DAY),
        (replace(WIDE, max_reaps_share=0.1), Limit.STALE_SHARE),
        (replace(WIDE, max_reaps_per_pass=0), Limit.STALE_PER_PASS),
        (replace(WIDE, max_reaps_per_day=0), Limit.STALE_PER_DAY),
        (replace(WIDE, max_reaps_share=0.0), Limit.STALE_SHARE),
    ],
)
def test_seventy_seven_selected_and_a_limit_exceeded_ends_none(policy: Policy, limit: Limit) -> None:
    found = plan(stale(77) + MANY_RUNNING, policy)

    assert found.ends == ()
    assert len(found.questions) == 77
    assert limits_of(found) == {limit}


def test_without_a_setting_the_defaults_bind() -> None:
    assert plan(stale(77) + MANY_RUNNING).ends == ()


def test_a_limit_holds_the_announcement_too() -> None:
    found = plan(stale(6, stale_notice_at=None) + MANY_RUNNING)

    assert found.stale_notices == ()
    assert len(found.questions) == 6


def test_what_waits_out_its_notice_was_counted_when_it_was_announced() -> None:
    found = plan(stale(5, stale_notice_at=ago(hours=3)) + stale(3, stale_notice_at=None) + MANY_RUNNING)

    assert len(found.stale_notices) == 3
    assert found.exceeded == ()


def test_what_was_ended_within_the_day_is_counted() -> None:
    assert len(plan(stale(5) + MANY_RUNNING, spent=Spent(stale=5)).ends) == 5
    assert plan(stale(5) + MANY_RUNNING, spent=Spent(stale=6)).ends == ()


def test_over_the_limit_of_one_owner_nothing_of_that_owner_is_ended() -> None:
    greedy = [exited(owner=UserId("UGREEDY"))] * 4
    found = plan([*greedy, *stale(1), *MANY_RUNNING])

    assert found.ends == (PodId("pod4"),)
    assert found.questions == tuple(PodId(f"pod{n}") for n in range(4))
    assert found.exceeded == (Exceeded(Limit.STALE_PER_OWNER, 4, 3, UserId("UGREEDY")),)


def test_no_owner_may_lose_any_if_that_limit_is_zero() -> None:
    assert plan(stale(2) + MANY_RUNNING, replace(WIDE, max_reaps_per_owner=0)).ends == ()


@pytest.mark.parametrize(
    ("proved", "allowed"), [(0, 2), (9, 2), (10, 2), (14, 2), (15, 3), (19, 3), (20, 4), (100, 20)]
)
def test_the_share_is_rounded_down_and_never_under_the_floor(proved: int, allowed: int) -> None:
    assert share_allowed(proved, Policy()) == allowed


def test_a_share_that_floating_point_makes_a_little_less_is_not_cut() -> None:
    assert share_allowed(100, Policy(max_reaps_share=0.29)) == 29


def test_a_share_of_zero_allows_none_whatever_the_floor() -> None:
    assert share_allowed(100, Policy(max_reaps_share=0.0)) == 0


def test_the_share_counts_the_pods_of_our_ledger_only() -> None:
    others = [running(in_ledger=False)] * 100

    assert plan(stale(3) + others, replace(WIDE, max_reaps_share=0.2)).ends == ()


def test_a_reap_over_a_limit_keeps_its_reason() -> None:
    found = plan(stale(6) + MANY_RUNNING)

    held = [judged.verdict for judged in found.judged if isinstance(judged.verdict, Reap)]
    assert {(verdict.reason, verdict.held) for verdict in held} == {("stale", Held.LIMIT)}


def test_above_the_never_ran_limit_the_oldest_are_ended_and_the_rest_asked_urgently() -> None:
    pods = [never_ran(created_at=ago(minutes=30 + n)) for n in range(13)]

    found = plan(pods)

    assert set(found.ends) == {PodId(f"pod{n}") for n in range(3, 13)}
    assert set(found.questions) == found.urgent == {PodId("pod0"), PodId("pod1"), PodId("pod2")}
    assert found.exceeded == (Exceeded(Limit.NEVER_RAN_PER_PASS, 13, 10),)


@pytest.mark.parametrize(("spent", "ended"), [(0, 10), (25, 5), (30, 0), (99, 0)])
def test_the_never_ran_limit_of_a_day_counts_what_was_ended(spent: int, ended: int) -> None:
    assert len(plan([never_ran()] * 10, spent=Spent(never_ran=spent)).ends) == ended


@pytest.mark.parametrize(
    "policy", [Policy(never_ran_max_per_pass=0), Policy(never_ran_max_per_day=0)], ids=["pass", "day"]
)
def test_zero_never_ran_ends_none(policy: Policy) -> None:
    assert plan([never_ran()] * 3, policy).ends == ()


def test_the_limits_of_one_job_do_not_count_the_other() -> None:
    found = plan([never_ran()] * 10 + stale(5) + MANY_RUNNING, spent=Spent(stale=0, never_ran=20))

    assert len(found.ends) == 15


def test_a_fence_has_no_limit() -> None:
    fenced = [running(fence_at=ago(minutes=1), fence_notice_at=ago(hours=1))] * 40

    assert len(plan(fenced).ends) == 40
