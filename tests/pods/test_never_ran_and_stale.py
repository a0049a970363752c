"""The two "if and only if": each bullet alone makes the difference."""

from typing import Any

import pytest

from pods import never_ran, stale
from pods.phase import Phase
from tests.pods import samples
from tests.pods.samples import a_pass, ago, ahead, exited


def test_a_pod_of_which_every_bullet_holds_never_ran() -> None:
    assert never_ran.never_ran(samples.never_ran(), a_pass())


@pytest.mark.parametrize(
    "different",
    [
        *({"phase": phase} for phase in [*Phase, None] if phase not in (Phase.ALLOCATING, Phase.NO_RUNTIME)),
        {"has_run": True},
        {"watched_from_birth": False},
        {"counting": 4},
        {"created_at": ago(minutes=20)},
        {"created_at": None},
        {"created_at": ahead(hours=1)},
        {"created_at": ago(minutes=30), "progress_at": ago(minutes=5)},
    ],
    ids=str,
)
def test_a_pod_of_which_one_bullet_fails_is_not_known_to_have_never_run(different: dict[str, Any]) -> None:
    assert not never_ran.never_ran(samples.never_ran(**different), a_pass())


def test_a_pod_of_which_every_bullet_holds_is_stale() -> None:
    assert stale.stale(exited(), a_pass())


@pytest.mark.parametrize(
    "different",
    [
        *({"phase": phase} for phase in [*Phase, None] if phase is not Phase.EXITED),
        {"exited_since": None},
        {"exited_since": ago(hours=23, minutes=59, seconds=59)},
        {"exited_since": ahead(hours=1)},
        {"kept_until": ahead(seconds=1)},
        {"keep_unreadable": True},
    ],
    ids=str,
)
def test_a_pod_of_which_one_bullet_fails_is_not_stale(different: dict[str, Any]) -> None:
    assert not stale.stale(exited(**different), a_pass())
