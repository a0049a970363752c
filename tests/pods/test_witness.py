"""Whether RunPod's word about runtimes is worth anything."""

import pytest

from pods.ids import PodId
from pods.phase import Phase
from pods.witness import TRUSTED, Witness, look
from tests.pods.samples import NOW, ago

ALL = [PodId(f"pod{n}") for n in range(12)]


def fleet(running: int, silent: int = 0) -> dict[PodId, Phase]:
    """The first pods are silent, the next ones run."""
    phases = [Phase.NO_RUNTIME] * silent + [Phase.RUNNING] * running
    return dict(zip(ALL, phases, strict=False))


@pytest.mark.parametrize(
    ("had", "lose", "out"),
    [
        (1, 1, False),
        (2, 1, False),
        (2, 2, True),
        (5, 2, True),
        (6, 2, True),
        (7, 2, False),
        (9, 3, True),
        (10, 3, False),
        (12, 4, True),
        (12, 0, False),
    ],
)
def test_it_is_out_when_two_pods_and_a_third_lose_their_runtime_at_once(
    had: int, lose: int, out: bool
) -> None:
    witness = look(TRUSTED, fleet(had), fleet(had - lose, silent=lose), NOW)

    assert witness.out is out


def test_pods_that_stop_or_vanish_do_not_speak_against_it() -> None:
    after = {ALL[0]: Phase.EXITED, ALL[1]: Phase.ERROR, ALL[3]: Phase.RUNNING}

    assert not look(TRUSTED, fleet(4), after, NOW).out


def test_pods_that_never_showed_a_runtime_do_not_speak_against_it() -> None:
    assert not look(TRUSTED, fleet(0, silent=6), fleet(0, silent=6), NOW).out


def out_with(lost: int) -> Witness:
    return look(TRUSTED, fleet(lost), fleet(0, silent=lost), ago(minutes=10))


def test_it_stays_out_while_fewer_than_half_of_the_lost_show_a_runtime_again() -> None:
    witness = look(out_with(5), fleet(0, silent=5), fleet(2, silent=3), NOW)

    assert witness.out_since == ago(minutes=10)


def test_it_is_back_when_half_of_the_lost_that_still_run_show_a_runtime_again() -> None:
    assert look(out_with(4), fleet(0, silent=4), fleet(2, silent=2), NOW) == TRUSTED


def test_the_lost_that_do_not_run_any_more_are_not_waited_for() -> None:
    after = {ALL[0]: Phase.EXITED, ALL[1]: Phase.GONE, ALL[2]: Phase.RUNNING, ALL[3]: Phase.NO_RUNTIME}

    assert look(out_with(4), fleet(0, silent=4), after, NOW) == TRUSTED


def test_pods_that_were_never_lost_do_not_bring_it_back() -> None:
    before = dict.fromkeys(ALL, Phase.RUNNING)
    out = look(TRUSTED, before, before | dict.fromkeys(ALL[:4], Phase.NO_RUNTIME), ago(minutes=1))

    still = look(out, before, before | dict.fromkeys(ALL[:4], Phase.NO_RUNTIME), NOW)

    assert still.out


def test_pods_that_lose_their_runtime_later_are_waited_for_too() -> None:
    before = fleet(2, silent=2)

    witness = look(Witness(ago(minutes=1), frozenset(ALL[:2])), before, fleet(0, silent=4), NOW)

    assert witness.lost == frozenset(ALL[:4])
