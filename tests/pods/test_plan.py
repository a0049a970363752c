"""What one pass would do: one object, for the dry run and for the real one."""

from typing import Any

import pytest

from pods.facts import PodFacts
from pods.ids import PodId
from pods.limits import Spent
from pods.ownership import Grade
from pods.plan import Plan, make_plan
from tests.pods.samples import GRADES, a_pass, ago, ahead, exited, never_ran, running


def plan(*pods: PodFacts, **different: Any) -> Plan:
    named = [pod._replace(pod_id=PodId(f"pod{n}")) for n, pod in enumerate(pods)]
    return make_plan(named, a_pass(**different), Spent())


ONE = (PodId("pod0"),)
FENCED = running(fence_at=ago(minutes=1), fence_notice_at=ago(hours=1))


def test_what_nothing_holds_is_ended_and_what_bills_comes_first() -> None:
    found = plan(exited(), never_ran(), FENCED)

    assert found.ends == (PodId("pod1"), PodId("pod2"), PodId("pod0"))


def test_a_stale_pod_is_announced_before_it_is_ended() -> None:
    found = plan(exited(stale_notice_at=None))

    assert (found.ends, found.stale_notices, found.questions) == ((), ONE, ())


def test_a_pod_that_waits_out_its_notice_is_not_announced_again() -> None:
    found = plan(exited(stale_notice_at=ago(hours=1)))

    assert (found.ends, found.stale_notices, found.questions) == ((), (), ())


def test_disarmed_the_owner_is_asked_instead() -> None:
    found = plan(exited(), never_ran(), armed_stale=False, armed_never_ran=False)

    assert (found.ends, found.stale_notices) == ((), ())
    assert found.questions == (PodId("pod0"), PodId("pod1"))


def test_while_paused_nothing_is_ended_or_announced() -> None:
    found = plan(
        exited(stale_notice_at=None), never_ran(), FENCED, running(fence_at=ahead(minutes=5)), paused=True
    )

    assert (found.ends, found.stale_notices, found.fence_notices) == ((), (), ())


def test_while_paused_the_owner_of_what_would_be_ended_is_asked_for_it_bills() -> None:
    found = plan(exited(stale_notice_at=None), never_ran(), FENCED, paused=True)

    assert found.questions == (PodId("pod0"), PodId("pod1"))


def test_with_an_incomplete_listing_nothing_is_ended_or_announced() -> None:
    found = plan(exited(), never_ran(), exited(stale_notice_at=None), FENCED, listing_complete=False)

    assert (found.ends, found.stale_notices, found.fence_notices) == ((), (), ())


def test_one_pod_that_cannot_be_judged_does_not_stop_the_others() -> None:
    garbled = running(phase=None)

    found = plan(garbled, *[never_ran()] * 9)

    assert len(found.ends) == 9
    assert found.judged[0].verdict.reason == "unreadable"


@pytest.mark.parametrize(
    ("fence", "told", "due"),
    [
        (ahead(minutes=30), None, True),
        (ahead(minutes=30, seconds=1), None, False),
        (ahead(minutes=5), None, True),
        (ahead(minutes=5), ago(minutes=1), False),
        (ago(hours=1), None, True),
    ],
)
def test_a_fence_is_announced_when_it_is_near(fence: Any, told: Any, due: bool) -> None:
    found = plan(running(fence_at=fence, fence_notice_at=told))

    assert (found.fence_notices == ONE) is due


@pytest.mark.parametrize(
    "different",
    [
        {"kept_until": ahead(hours=3)},
        {"keep_unreadable": True},
        {"grade": Grade.CONFLICTING},
        {"locked": True},
        {"ending": True},
        GRADES["claimed"],
    ],
)
def test_a_fence_that_does_not_end_the_pod_soon_is_not_announced(different: dict[str, Any]) -> None:
    assert plan(running(fence_at=ahead(minutes=5), **different)).fence_notices == ()


def test_every_pod_is_judged_once_and_in_order() -> None:
    found = plan(running(), exited(), never_ran())

    assert [judged.facts.pod_id for judged in found.judged] == ["pod0", "pod1", "pod2"]
