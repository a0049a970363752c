"""I4, "OK" over a failed preflight: what the rules alone prevent."""

import pytest

from pods.exit_codes import ExitCode
from pods.known_failures import failures_in
from pods.provision.seen import Work
from tests.pods.provision_world import MIN, World, exit_code

LOG = """
error: Failed to install: flash_attn-2.8.3.whl
  Caused by: failed to copy file to .venv/lib/python3.12/site-packages: Stale file handle (os error 116)
PREFLIGHT-FAILED-AT-BOOTSTRAP rc=2
"""


def failed_preflight(rc: int) -> World:
    return World(rc={Work.BOOTSTRAP: 0, Work.PREFLIGHT: rc})


def test_i4_a_preflight_that_ends_with_2_is_a_failed_provision() -> None:
    world = failed_preflight(2)
    assert exit_code(world) is ExitCode.PREFLIGHT_FAILED
    assert "PREFLIGHT: FAIL rc=2" in world.lines
    assert "BOOTSTRAP-FAILED pod=train rc=2" in world.lines


@pytest.mark.parametrize("rc", [1, 2, 124, 137, 255])
def test_i4_nothing_says_ok_over_a_failed_preflight(rc: int) -> None:
    world = failed_preflight(rc)
    world.run()
    assert not any(line.startswith("BOOTSTRAP-OK") for line in world.lines)


def test_i4_a_preflight_that_never_ends_has_failed() -> None:
    world = World(takes={Work.BOOTSTRAP: MIN, Work.PREFLIGHT: 600 * MIN})
    assert exit_code(world) is ExitCode.PREFLIGHT_FAILED
    assert "PREFLIGHT: FAIL rc=124" in world.lines


def test_i4_the_pod_is_left_alive_for_its_owner_to_decide() -> None:
    world = failed_preflight(2)
    world.run()
    assert world.torn_down == []
    assert world.lines[-1].startswith("SSH: ")


def test_i4_the_log_is_explained_with_the_proven_remedy() -> None:
    (known,) = failures_in(LOG)
    assert known.fatal
    assert "errno 116" in known.what
    assert "UV_PROJECT_ENVIRONMENT" in known.remedy
