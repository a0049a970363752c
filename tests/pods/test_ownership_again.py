"""Whose a pod is after people have changed their minds: what was once said does not bind for ever."""

from datetime import timedelta

from pods.ids import ProvisionId, UserId
from pods.ownership import (
    Claim,
    ClaimSource,
    Confirmation,
    Give,
    Grade,
    LedgerRecord,
    Objection,
    Ownership,
    Ruling,
    Statement,
    Withdrawal,
    ownership,
)
from tests.pods.samples import ADMIN, ALICE, BOB, CAROL, NOW, POD, ago

SETTLE = timedelta(hours=24)
FOR_ALICE = LedgerRecord(POD, ProvisionId("ab12cd34"), ALICE, ago(days=9))


def claim(owner: UserId, *, hours: int, heard: int | None = None, unheard: bool = False) -> Claim:
    """A claim so many hours ago, of which all could know `heard` hours ago."""
    heard_at = None if heard is None else ago(hours=heard)
    return Claim(POD, owner, ago(hours=hours), ClaimSource.PERSON, heard_at, unheard)


def of(*said: Statement, record: LedgerRecord | None = None) -> Ownership:
    return ownership(POD, record, said, NOW, SETTLE)


def test_who_says_that_a_pod_of_theirs_is_not_theirs_can_give_it_away_still() -> None:
    found = of(Withdrawal(POD, ALICE, ago(hours=2)), Give(POD, ALICE, BOB, ago(hours=1)), record=FOR_ALICE)

    assert (found.grade, found.owner, found.may_end) == (Grade.PROVED, BOB, True)


def test_a_claim_for_the_ledgers_own_owner_changes_nothing_even_after_they_gave_it_up() -> None:
    found = of(Withdrawal(POD, ALICE, ago(hours=2)), claim(ALICE, hours=1), record=FOR_ALICE)

    assert (found.owner, found.may_end) == (ALICE, True)


def test_a_claim_that_an_admin_confirmed_before_it_was_withdrawn_is_another_one() -> None:
    confirmed = (claim(ALICE, hours=90), Confirmation(POD, ALICE, ADMIN, ago(hours=80)))
    again = (Withdrawal(POD, ALICE, ago(hours=70)), claim(ALICE, hours=60))

    found = of(*confirmed, *again, Objection(POD, ALICE, CAROL, ago(hours=50)))

    assert (found.owner, found.may_end, found.may_end_from) == (ALICE, False, None)


def test_who_lost_a_pod_by_an_admins_word_can_be_objected_to_like_anybody() -> None:
    confirmed = (claim(ALICE, hours=90), Confirmation(POD, ALICE, ADMIN, ago(hours=80)))
    ruled = (claim(BOB, hours=70), Ruling(POD, BOB, ADMIN, ago(hours=60)))

    found = of(*confirmed, *ruled, Withdrawal(POD, BOB, ago(hours=50)), claim(ALICE, hours=40))
    objected = of(
        *confirmed,
        *ruled,
        Withdrawal(POD, BOB, ago(hours=50)),
        claim(ALICE, hours=40),
        Objection(POD, ALICE, CAROL, ago(hours=30)),
    )

    assert (found.may_end, objected.may_end) == (True, False)


def test_a_claim_of_which_nobody_could_know_does_not_settle() -> None:
    found = of(claim(BOB, hours=100, unheard=True))

    assert (found.owner, found.may_end, found.may_end_from) == (BOB, False, NOW + SETTLE)


def test_a_claim_settles_from_when_all_could_know_of_it() -> None:
    late = of(claim(BOB, hours=100, heard=23))
    settled = of(claim(BOB, hours=100, heard=25))

    assert (late.may_end, settled.may_end) == (False, True)
