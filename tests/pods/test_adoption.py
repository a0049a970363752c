from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pods.adoption import LEEWAY, Adopt, Adoption, Call, Candidate, MovedOrCopied, Nothing, adoption_of

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SEC = timedelta(seconds=1)
CALL = Call("token1", "train-ab12cd34", AT, AT + 30 * SEC, None)
POD = Candidate("p1", "train-ab12cd34", "token1", AT + 5 * SEC)


def test_the_only_pod_with_token_name_and_time_of_a_call_is_adopted() -> None:
    assert adoption_of(CALL, (POD,)) == Adopt(POD)


@pytest.mark.parametrize(
    ("candidate", "adoption"),
    [
        (replace(POD, token="token2"), Nothing()),
        (replace(POD, token=None), Nothing()),
        (replace(POD, name="train-ab12cd34-loc"), Nothing()),
        (replace(POD, created_at=None), Nothing()),
        (replace(POD, created_at=AT - LEEWAY), Adopt(replace(POD, created_at=AT - LEEWAY))),
        (
            replace(POD, created_at=CALL.ended_at + LEEWAY),
            Adopt(replace(POD, created_at=CALL.ended_at + LEEWAY)),
        ),
    ],
)
def test_a_pod_is_adopted_by_all_marks_together_or_not_at_all(
    candidate: Candidate, adoption: Adoption
) -> None:
    assert adoption_of(CALL, (candidate,)) == adoption


@pytest.mark.parametrize("created_at", [AT - LEEWAY - SEC, CALL.ended_at + LEEWAY + SEC])
def test_a_pod_with_all_marks_from_another_time_is_a_copy(created_at: datetime) -> None:
    copy = replace(POD, created_at=created_at)
    assert adoption_of(CALL, (copy,)) == MovedOrCopied((copy,))


def test_of_two_pods_with_the_same_marks_none_is_adopted() -> None:
    twin = replace(POD, pod_id="p2")
    assert adoption_of(CALL, (POD, twin)) == MovedOrCopied((POD, twin))


def test_a_match_after_an_id_is_bound_is_moved_or_copied() -> None:
    moved = replace(POD, pod_id="p2")
    assert adoption_of(replace(CALL, pod_id="p1"), (moved,)) == MovedOrCopied((moved,))


def test_the_bound_pod_itself_is_no_stranger() -> None:
    assert adoption_of(replace(CALL, pod_id="p1"), (POD,)) == Nothing()


def test_no_pods_mean_nothing() -> None:
    assert adoption_of(CALL, ()) == Nothing()
