"""Whose a pod is: from our ledger and from what people said in structured form about that very pod id."""

from datetime import datetime, timedelta

import pytest

from pods.ids import PodId, ProvisionId, UserId
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
from tests.pods.samples import ADMIN, ALICE, BOB, CAROL, NOW, POD, ago, ahead

TWO_DAYS_AGO = ago(hours=48)
SETTLE = timedelta(hours=24)
FOR_ALICE = LedgerRecord(POD, ProvisionId("ab12cd34"), ALICE, ago(days=9))
OTHER_POD = PodId(POD + "x")


def claim(owner: UserId, at: datetime = TWO_DAYS_AGO, source: ClaimSource = ClaimSource.PERSON) -> Claim:
    return Claim(POD, owner, at, source)


def of(*statements: Statement, record: LedgerRecord | None = None) -> Ownership:
    return ownership(POD, record, statements, NOW, SETTLE)


def test_without_evidence_nobody_owns_it() -> None:
    found = of()

    assert (found.grade, found.owner, found.may_end) == (Grade.UNKNOWN, None, False)


def test_only_the_ledger_proves() -> None:
    found = of(record=FOR_ALICE)

    assert (found.grade, found.owner, found.in_ledger, found.may_end) == (Grade.PROVED, ALICE, True, True)


@pytest.mark.parametrize("other", [OTHER_POD, PodId(POD[:-1]), PodId(POD.upper()), PodId("")])
def test_a_record_of_a_pod_id_that_is_merely_alike_proves_nothing(other: PodId) -> None:
    record = LedgerRecord(other, ProvisionId("ab12cd34"), ALICE, ago(days=9))

    assert of(record=record).grade is Grade.UNKNOWN


def test_a_claim_about_a_pod_id_that_is_merely_alike_claims_nothing() -> None:
    assert of(Claim(OTHER_POD, BOB, ago(hours=48), ClaimSource.PERSON)).grade is Grade.UNKNOWN


@pytest.mark.parametrize("source", ClaimSource)
def test_a_claim_makes_claimed_and_never_proved(source: ClaimSource) -> None:
    found = of(claim(BOB, source=source))

    assert (found.grade, found.owner, found.in_ledger) == (Grade.CLAIMED, BOB, False)


def test_a_claim_for_the_ledgers_own_owner_changes_nothing() -> None:
    assert of(claim(ALICE), record=FOR_ALICE) == of(record=FOR_ALICE)


def test_a_claim_never_outranks_the_ledger() -> None:
    found = of(claim(BOB), record=FOR_ALICE)

    assert (found.grade, found.owner, found.in_ledger) == (Grade.CONFLICTING, ALICE, True)
    assert not found.may_end


@pytest.mark.parametrize(
    ("claimed_ago", "may_end"),
    [(timedelta(hours=24), True), (timedelta(hours=23, minutes=59, seconds=59), False)],
)
def test_the_right_to_end_comes_when_the_claim_has_settled(claimed_ago: timedelta, may_end: bool) -> None:
    found = of(claim(BOB, NOW - claimed_ago))

    assert found.may_end is may_end
    assert found.may_end_from == (None if may_end else NOW - claimed_ago + SETTLE)


def test_claiming_again_does_not_start_the_settling_anew() -> None:
    assert of(claim(BOB), claim(BOB, ago(hours=1))).may_end


def test_an_objection_takes_the_right_to_end_and_not_the_claim() -> None:
    found = of(claim(BOB), Objection(POD, BOB, CAROL, ago(hours=30)))

    assert (found.grade, found.owner) == (Grade.CLAIMED, BOB)
    assert (found.may_end, found.may_end_from) == (False, None)


def test_withdrawing_and_claiming_again_does_not_shake_off_an_objection() -> None:
    found = of(
        claim(BOB, ago(hours=80)),
        Objection(POD, BOB, CAROL, ago(hours=79)),
        Withdrawal(POD, BOB, ago(hours=78)),
        claim(BOB, ago(hours=77)),
    )

    assert (found.owner, found.may_end) == (BOB, False)


def test_nobody_objects_to_himself() -> None:
    assert of(claim(BOB), Objection(POD, BOB, BOB, ago(hours=30))).may_end


def test_nobody_objects_to_the_ledger() -> None:
    assert of(Objection(POD, ALICE, BOB, ago(hours=30)), record=FOR_ALICE).may_end


def test_an_admin_who_is_no_party_confirms_at_once() -> None:
    young = claim(BOB, ago(hours=1))

    found = of(
        young, Objection(POD, BOB, CAROL, ago(minutes=50)), Confirmation(POD, BOB, ADMIN, ago(minutes=5))
    )

    assert found.may_end


@pytest.mark.parametrize("party", [BOB, CAROL])
def test_an_admin_who_is_a_party_confirms_nothing(party: UserId) -> None:
    claims = [claim(BOB, ago(hours=1)), claim(CAROL, ago(hours=2))]

    found = of(*claims, Confirmation(POD, BOB, party, ago(minutes=5)), Withdrawal(POD, CAROL, ago(minutes=1)))

    assert not found.may_end


def test_different_owners_conflict_and_nobody_may_end() -> None:
    found = of(claim(BOB), claim(CAROL))

    assert (found.grade, found.owner, found.may_end) == (Grade.CONFLICTING, None, False)
    assert found.claimants == (BOB, CAROL)


def test_a_conflict_ends_when_a_claimant_withdraws() -> None:
    found = of(claim(BOB), claim(CAROL), Withdrawal(POD, BOB, ago(hours=1)))

    assert (found.grade, found.owner) == (Grade.CLAIMED, CAROL)


def test_an_admin_who_is_no_party_ends_a_conflict() -> None:
    found = of(claim(BOB), Ruling(POD, BOB, ADMIN, ago(hours=1)), record=FOR_ALICE)

    assert (found.grade, found.owner, found.may_end) == (Grade.PROVED, BOB, True)
    assert found.created_for == ALICE


@pytest.mark.parametrize("party", [ALICE, BOB])
def test_an_admin_who_is_a_party_decides_nothing(party: UserId) -> None:
    found = of(claim(BOB), Ruling(POD, party, party, ago(hours=1)), record=FOR_ALICE)

    assert found.grade is Grade.CONFLICTING


def test_an_admin_cannot_rule_for_somebody_who_never_said_so() -> None:
    assert of(Ruling(POD, CAROL, ADMIN, ago(hours=1)), record=FOR_ALICE).owner == ALICE


def test_a_hand_over_moves_ownership_and_the_ledger_keeps_the_creator() -> None:
    found = of(Give(POD, ALICE, BOB, ago(hours=1)), record=FOR_ALICE)

    assert (found.grade, found.owner, found.created_for, found.may_end) == (Grade.PROVED, BOB, ALICE, True)


def test_somebody_else_cannot_give_it_away() -> None:
    assert of(Give(POD, BOB, CAROL, ago(hours=1)), record=FOR_ALICE).owner == ALICE


def test_who_gave_it_away_is_no_owner_any_more() -> None:
    found = of(Give(POD, ALICE, BOB, ago(hours=2)), Give(POD, ALICE, CAROL, ago(hours=1)), record=FOR_ALICE)

    assert found.owner == BOB


def test_a_claim_that_has_not_settled_is_given_as_it_is() -> None:
    found = of(claim(BOB, ago(hours=1)), Give(POD, BOB, CAROL, ago(minutes=30)))

    assert (found.owner, found.may_end, found.may_end_from) == (CAROL, False, ahead(hours=23))


def test_giving_it_to_the_other_claimant_ends_the_conflict() -> None:
    found = of(claim(BOB), claim(CAROL), Give(POD, BOB, CAROL, ago(hours=1)))

    assert (found.grade, found.owner) == (Grade.CLAIMED, CAROL)


def test_a_pod_of_the_ledger_is_never_without_an_owner() -> None:
    found = of(Withdrawal(POD, ALICE, ago(hours=1)), record=FOR_ALICE)

    assert (found.grade, found.owner, found.may_end) == (Grade.PROVED, ALICE, True)


def test_who_withdrew_from_his_own_pod_leaves_it_to_a_claimant() -> None:
    found = of(claim(BOB), Withdrawal(POD, ALICE, ago(hours=1)), record=FOR_ALICE)

    assert (found.grade, found.owner, found.in_ledger) == (Grade.PROVED, BOB, True)


def test_what_is_said_later_than_now_is_not_heard() -> None:
    assert of(claim(BOB, ahead(seconds=1))).grade is Grade.UNKNOWN


def test_the_order_in_which_statements_are_loaded_makes_no_difference() -> None:
    said: list[Statement] = [claim(BOB), claim(CAROL, ago(hours=40)), Withdrawal(POD, BOB, ago(hours=1))]

    assert of(*said) == of(*reversed(said))
