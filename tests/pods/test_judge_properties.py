"""What holds for every pod that can be told, however odd."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pods.facts import PassFacts, PodFacts, Sight
from pods.guards import GUARDS, Path
from pods.ids import PodId
from pods.judge import judge
from pods.limits import Spent
from pods.ownership import Grade
from pods.permission import Allowed, Attempt, allowed
from pods.phase import Phase
from pods.plan import make_plan
from pods.verdict import Ask, CannotTell, Keep, Reap, Reason, Verdict
from tests.pods.samples import BOB, NOW, a_pass, exited
from tests.pods.strategies import ATTEMPTS, MOMENTS, PASSES, PODS, SPENT

many = settings(max_examples=100)


def ends(verdict: Verdict) -> bool:
    return isinstance(verdict, Reap)


@many
@given(PODS, PASSES)
def test_every_pod_gets_a_verdict_with_a_line_of_the_table(pod: PodFacts, pass_: PassFacts) -> None:
    verdict = judge(pod, pass_)

    assert isinstance(verdict, Keep | Ask | Reap | CannotTell)
    assert 1 <= verdict.rule <= 22


@many
@given(PODS, PASSES)
def test_only_a_pod_of_our_ledger_is_ever_ended(pod: PodFacts, pass_: PassFacts) -> None:
    if ends(judge(pod, pass_)):
        assert pod.in_ledger


@many
@given(PODS, PASSES)
def test_nothing_that_has_run_is_ever_taken_for_never_ran(pod: PodFacts, pass_: PassFacts) -> None:
    ran = pod._replace(has_run=True)

    assert judge(ran, pass_).reason not in (
        Reason.NEVER_RAN,
        Reason.NEVER_RAN_KEPT,
        Reason.NEVER_RAN_UNPROVED,
        Reason.NEVER_RAN_UNWATCHED,
    )


@many
@given(PODS, PASSES, st.sampled_from([*MOMENTS, None]))
@example(exited(), a_pass(), None)
def test_the_creation_time_makes_no_difference_to_an_exited_pod(
    pod: PodFacts, pass_: PassFacts, created_at: datetime | None
) -> None:
    stopped = pod._replace(phase=Phase.EXITED)

    assert judge(stopped._replace(created_at=created_at), pass_) == judge(stopped, pass_)


@many
@given(PODS, PASSES, st.sampled_from([*MOMENTS, None]))
@example(
    exited(exited_since=NOW - timedelta(hours=1), first_seen_exited=True), a_pass(), NOW - timedelta(days=9)
)
def test_the_text_of_runpod_alone_never_ends_a_pod(
    pod: PodFacts, pass_: PassFacts, said: datetime | None
) -> None:
    silent = judge(pod._replace(provider_exited_at=None), pass_)

    told = judge(pod._replace(provider_exited_at=said), pass_)

    assert ends(told) == ends(silent)


DOUBTS: dict[str, dict[str, Any]] = {
    "unreadable": {"sight": Sight.UNREADABLE, "phase": None},
    "missing": {"sight": Sight.MISSING, "phase": None},
    "no creation time": {"created_at": None},
    "created in the future": {"created_at": NOW + timedelta(days=1)},
    "not watched": {"watched_from_birth": False},
    "no look counted": {"counting": 0},
    "it may have run": {"has_run": True},
    "exit time unknown": {"exited_since": None},
    "keep unreadable": {"keep_unreadable": True},
    "claims conflict": {"grade": Grade.CONFLICTING},
    "nobody's": {"grade": Grade.UNKNOWN, "in_ledger": False, "owner": None},
    "claimed": {"grade": Grade.CLAIMED, "in_ledger": False, "owner": BOB},
    "locked": {"locked": True},
    "in a cluster": {"cluster_member": True},
}


@many
@given(st.sampled_from(sorted(DOUBTS)), PODS, PASSES)
def test_more_doubt_about_a_pod_never_leads_to_its_end(doubt: str, pod: PodFacts, pass_: PassFacts) -> None:
    assume(not ends(judge(pod, pass_)))

    assert not ends(judge(pod._replace(**DOUBTS[doubt]), pass_))


@many
@given(st.sampled_from([{"clock_doubtful": True}, {"witness_out": True}]), PODS, PASSES)
def test_more_doubt_about_a_pass_never_leads_to_an_end(
    doubt: dict[str, Any], pod: PodFacts, pass_: PassFacts
) -> None:
    assume(not ends(judge(pod, pass_)))

    assert not ends(judge(pod, replace(pass_, **doubt)))


@many
@given(PODS, PASSES)
def test_with_a_doubtful_clock_nothing_is_ended(pod: PodFacts, pass_: PassFacts) -> None:
    assert not ends(judge(pod, replace(pass_, clock_doubtful=True)))


@many
@given(PODS, PASSES, st.sampled_from(MOMENTS))
def test_a_longer_keep_never_ends_a_stale_or_fenced_pod(
    pod: PodFacts, pass_: PassFacts, until: datetime
) -> None:
    assume(not ends(judge(pod, pass_)))
    longer = pod._replace(kept_until=max(until, pod.kept_until or until))

    assert judge(longer, pass_).reason not in (Reason.STALE, Reason.FENCE_PASSED) or not ends(
        judge(longer, pass_)
    )


@many
@given(PODS, PASSES)
def test_the_time_at_which_a_verdict_could_change_lies_ahead(pod: PodFacts, pass_: PassFacts) -> None:
    changes_at = judge(pod, pass_).changes_at

    assert changes_at is None or changes_at >= NOW


@many
@given(st.lists(PODS, max_size=5), PASSES, SPENT)
def test_a_plan_ends_only_what_is_judged_to_end_and_nothing_holds(
    pods: list[PodFacts], pass_: PassFacts, spent: Spent
) -> None:
    named = [pod._replace(pod_id=PodId(f"pod{n}")) for n, pod in enumerate(pods)]

    plan = make_plan(named, pass_, spent)

    unheld = {
        judged.facts.pod_id
        for judged in plan.judged
        if isinstance(judged.verdict, Reap) and judged.verdict.held is None
    }
    assert set(plan.ends) == (unheld if pass_.listing_complete else set())
    assert not set(plan.ends) & set(plan.questions)
    assert len(plan.judged) == len(pods)
    if pass_.paused:
        assert plan.ends == plan.stale_notices == plan.fence_notices == ()


@many
@given(st.sampled_from(Path), ATTEMPTS)
def test_no_path_ends_what_nobody_may_end(path: Path, attempt: Attempt) -> None:
    if isinstance(allowed(path, attempt), Allowed):
        facts = (attempt.pod.locked, attempt.pod.cluster_member, attempt.pass_.paused)
        assert facts == (False, False, False)
        assert attempt.fingerprint_unchanged


@many
@given(st.sampled_from([path for path, guard in GUARDS.items() if guard.arming]), ATTEMPTS)
def test_a_job_ends_only_what_the_judgement_ends_on_fresh_facts(path: Path, attempt: Attempt) -> None:
    if isinstance(allowed(path, attempt), Allowed):
        verdict = judge(attempt.pod, attempt.pass_)
        assert isinstance(verdict, Reap)
        assert verdict.held is None
