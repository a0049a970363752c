"""The launches of the soak that are really killed: which there are."""

from benchmarks.launch_kills import CELLS
from benchmarks.launch_strikes import How
from pods.provision.stages import UNDER_WAY


def test_every_stage_of_a_launch_meets_everything_that_can_go_wrong() -> None:
    assert set(CELLS) == {(stage, how) for stage in UNDER_WAY for how in How}
