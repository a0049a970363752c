"""A create call that was never answered, while the clock jumps or nobody looks: no second pod by mistake."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pods.order import Order
from pods.provision.decide import decide
from pods.provision.decision import Act, Do, Policy, Wait
from pods.provision.effects import AskOwner, Create
from pods.provision.entering import begin
from pods.provision.refusals import Refusal
from pods.provision.seen import Lost, Permit, Refused, Seen
from pods.provision.value import Provision

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
POLICY = Policy()
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ORDER = Order(name="a", gpus=("H100",), wait_capacity=6 * HOUR)
FRESH = Seen(token="t", candidates=())


def on(provision: Provision, seen: Seen, now: datetime) -> tuple[Provision, Act]:
    """Decided until there is something to do outside, or to wait for."""
    for _ in range(10):
        decision = decide(provision, seen, now, POLICY)
        provision = decision.provision
        if isinstance(decision.act, Do | Wait) or provision.outcome is not None:
            return provision, decision.act
    raise AssertionError("it does not come to rest")


def unanswered() -> Provision:
    """Its first create call went out at noon, and no answer came."""
    wished = begin("abcd1234", ORDER, NOON, POLICY)
    called, _ = on(wished, Seen(permit=Permit.ALLOWED, token="t"), NOON)
    lost, _ = on(called, replace(FRESH, create=Lost(1, "no answer")), NOON)
    return lost


@pytest.mark.parametrize("cancel", [False, True], ids=["goes on", "called off"])
def test_a_clock_that_jumps_does_not_end_the_time_in_which_a_lost_pod_is_looked_for(cancel: bool) -> None:
    lost = unanswered()

    jumped, in_doubt = on(lost, replace(FRESH, clock_doubtful=True, cancel=cancel), NOON + HOUR / 2)
    looked, after = on(jumped, replace(FRESH, cancel=cancel), NOON + HOUR / 2 + timedelta(seconds=2))
    _, settled = on(looked, FRESH, NOON + HOUR / 2 + POLICY.create_settle + timedelta(seconds=3))

    assert isinstance(in_doubt, Wait)
    assert isinstance(after, Wait)
    assert cancel or (isinstance(settled, Do) and isinstance(settled.effect, Create))


def test_after_a_gap_of_hours_the_owner_is_asked_first_though_an_earlier_call_was_never_answered() -> None:
    waiting, full = unanswered(), Refused(2, 400, "no", meaning=Refusal.NO_CAPACITY)
    for minutes in range(1, 5):
        waiting, _ = on(waiting, FRESH, NOON + minutes * MINUTE)
    waiting, _ = on(waiting, replace(FRESH, create=full), NOON + 4 * MINUTE)

    back, _ = on(waiting, FRESH, NOON + 3 * HOUR)
    _, asks = on(back, FRESH, NOON + 3 * HOUR + POLICY.create_settle)

    assert isinstance(asks, Do)
    assert isinstance(asks.effect, AskOwner)
