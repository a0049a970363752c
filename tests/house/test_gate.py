"""What CI runs is what a newcomer is told to type."""

from tests.house.sources import ROOT


def test_ci_runs_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    last_command = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()[-1]

    assert last_command == "make test"
    assert last_command in readme


def test_ci_insists_on_what_a_newcomer_may_lack() -> None:
    assert "REQUIRE_SHARED=1 REQUIRE_POSTGRES=1" in (ROOT / ".ci/run").read_text(encoding="utf-8")
