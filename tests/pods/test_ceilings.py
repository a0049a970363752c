"""Whether an order may go out: ceilings, unknown prices, dear orders of agents, three never reached."""

import pytest

from pods.ceilings import AskPerson, Ceilings, GoAhead, OverCeiling, Spending, weigh

NOTHING, NO_CEILING = Spending(), Ceilings()


def judged(
    usd: float | None,
    ceilings: Ceilings = NO_CEILING,
    spending: Spending = NOTHING,
    by_agent: bool = False,
    never_reached: int = 0,
) -> type:
    return type(weigh(usd, ceilings, spending, by_agent=by_agent, never_reached=never_reached))


def test_without_ceilings_a_person_orders_what_he_likes() -> None:
    assert judged(1_000.0) is GoAhead
    assert judged(None) is GoAhead


@pytest.mark.parametrize("ceilings", [Ceilings(account=10.0), Ceilings(per_owner=10.0)])
def test_up_to_a_ceiling_it_goes_out_and_above_it_does_not(ceilings: Ceilings) -> None:
    billing = Spending(account_usd=6.0, owner_usd=6.0)

    assert judged(4.0, ceilings, billing) is GoAhead
    assert judged(4.01, ceilings, billing) is OverCeiling


def test_the_ceiling_of_an_owner_does_not_count_what_others_spend() -> None:
    assert judged(4.0, Ceilings(per_owner=5.0), Spending(account_usd=100.0, owner_usd=1.0)) is GoAhead


@pytest.mark.parametrize("ceilings", [Ceilings(account=0.0), Ceilings(per_owner=0.0)])
def test_a_ceiling_of_zero_allows_nothing(ceilings: Ceilings) -> None:
    assert judged(0.01, ceilings) is OverCeiling


@pytest.mark.parametrize("ceilings", [Ceilings(account=1_000.0), Ceilings(per_owner=1_000.0)])
def test_an_unknown_price_keeps_no_ceiling(ceilings: Ceilings) -> None:
    assert judged(None, ceilings) is OverCeiling


@pytest.mark.parametrize(("usd", "expected"), [(20.0, GoAhead), (20.01, AskPerson), (None, AskPerson)])
def test_a_dear_order_of_an_agent_needs_its_owner(usd: float | None, expected: type) -> None:
    assert judged(usd, by_agent=True) is expected


@pytest.mark.parametrize("by_agent", [False, True])
@pytest.mark.parametrize(("times", "expected"), [(2, GoAhead), (3, AskPerson), (9, AskPerson)])
def test_after_three_that_were_never_reached_a_person_is_asked(
    by_agent: bool, times: int, expected: type
) -> None:
    assert judged(1.0, by_agent=by_agent, never_reached=times) is expected


def test_a_ceiling_is_not_lifted_by_asking() -> None:
    assert judged(30.0, Ceilings(account=1.0), by_agent=True, never_reached=5) is OverCeiling
