"""How the executor's answer about a teardown is read: what may be alive is not told as ended or refused."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from jobs.executor.words import SIGN_OF_LIFE, UNREACHABLE, WORDS
from jobs.provision.known import clean_up_of
from pods.permission import Refusal
from pods.provision.seen import CleanUp
from storage.deed import Deed, DeedState

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("outcome", "read"),
    [
        (SIGN_OF_LIFE, CleanUp.VETOED),
        (UNREACHABLE, CleanUp.VETOED),
        (WORDS[Refusal.KEPT], CleanUp.REFUSED),
    ],
)
def test_a_refused_teardown_is_read_by_what_the_last_look_met(outcome: str, read: CleanUp) -> None:
    refused = Deed("d", "provision_teardown", "p", "f", "podkeeper", NOW, NOW, None)
    refused = replace(refused, state=DeedState.REFUSED, outcome=outcome)

    assert clean_up_of(refused, paused=False) is read
