"""The phase for a verdict: what a listing showed, and what RunPod's text says of it."""

from dataclasses import replace

import pytest

from pods.phase import Phase, Status
from pods.snapshot import Unreadable, phase_seen
from tests.pods.samples import NOW, POD, snapshot


@pytest.mark.parametrize(
    ("status", "shows_life", "text", "phase"),
    [
        (Status.PROVISIONING, False, None, Phase.ALLOCATING),
        (Status.RUNNING, True, None, Phase.RUNNING),
        (Status.RUNNING, False, None, Phase.NO_RUNTIME),
        (Status.EXITED, True, None, Phase.EXITED),
        (Status.EXITED, False, "Terminated by user: today", Phase.GONE),
        (Status.RUNNING, True, "Terminated by user: today", Phase.RUNNING),
    ],
)
def test_the_phase_is_what_status_life_and_text_mean_together(
    status: Status, shows_life: bool, text: str | None, phase: Phase
) -> None:
    seen = replace(snapshot(POD, NOW), status=status, shows_life=shows_life)

    assert phase_seen(seen, text) is phase


def test_a_pod_that_cannot_be_read_has_no_phase() -> None:
    assert phase_seen(Unreadable(POD, "status is 7"), None) is None
