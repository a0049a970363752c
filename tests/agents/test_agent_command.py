"""`podkeeper agent …`, on the database: secrets on stdout only, and nobody added in silence."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.agents.registry import AgentError, confirm
from bot.agents.secrets import agent_secret, read_master_key
from bot.cli import run
from storage.agent import agent
from storage.database import Database
from tests.agents.house import ANN, BOB, House, letters, recorded

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def podkeeper(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    migrated_database_url: str,
) -> Run:
    """Run `podkeeper agent WORDS`; gives the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", migrated_database_url)
    monkeypatch.setenv("PODKEEPER_SECRET_FILE", str(tmp_path / "secret"))
    monkeypatch.setenv("PODKEEPER_ADMINS", "UADMIN,UBOSS")

    def agent_(*words: str) -> tuple[int, str, str]:
        code = run(["agent", *words])
        return code, *capsys.readouterr()

    return agent_


def secret(folder: Path, generation: int, name: str = "scout") -> str:
    return agent_secret(read_master_key(folder / "secret"), name, generation) + "\n"


def test_add_prints_the_secret_and_nothing_else(podkeeper: Run, tmp_path: Path) -> None:
    assert podkeeper("add", "scout", "--owner", ANN) == (0, secret(tmp_path, 1), "")


def test_no_secret_is_in_the_database(podkeeper: Run, tmp_path: Path, database: Database) -> None:
    _, printed, _ = podkeeper("add", "scout", "--owner", ANN)
    house = House(database)

    kept = [*letters(house, "agent_added"), *letters(house, "agent_confirm")]
    assert printed.strip() not in " ".join(map(str, kept))
    assert read_master_key(tmp_path / "secret").hex() not in " ".join(map(str, kept))


def test_a_new_agent_is_unconfirmed_its_owner_is_asked_and_every_admin_told(
    podkeeper: Run, database: Database
) -> None:
    podkeeper("add", "scout", "--owner", f"<@{ANN}>")
    house = House(database)

    known = database.read_now(lambda session: agent(session, "scout"))
    assert known is not None
    assert known.confirmed_at is None
    assert [each.target for each in letters(house, "agent_confirm")] == [ANN]
    assert sorted(each.target for each in letters(house, "agent_added")) == ["UADMIN", "UBOSS"]
    assert recorded(house) == [("command line", "agent.added", "scout")]


def test_rotate_prints_the_new_secret_and_tells_every_admin(
    podkeeper: Run, tmp_path: Path, database: Database
) -> None:
    podkeeper("add", "scout", "--owner", ANN)

    assert podkeeper("rotate", "scout") == (0, secret(tmp_path, 2), "")
    assert len(letters(House(database), "agent_rotated")) == 2


def test_remove_prints_nothing_and_tells_every_admin(podkeeper: Run, database: Database) -> None:
    podkeeper("add", "scout", "--owner", ANN)

    assert podkeeper("remove", "scout") == (0, "", "")
    assert database.read_now(lambda session: agent(session, "scout")) is None
    assert len(letters(House(database), "agent_removed")) == 2


def test_list_shows_everybody_and_how_they_stand(podkeeper: Run) -> None:
    podkeeper("add", "scout", "--owner", ANN)
    podkeeper("add", "other", "--owner", BOB)

    code, out, _ = podkeeper("list")

    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()] == [
        ["name", "owner", "state"],
        ["other", BOB, "unconfirmed"],
        ["scout", ANN, "unconfirmed"],
    ]
    assert "whsec_" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "scout", "--owner", BOB), "There is an agent scout already"),
        (("rotate", "stranger"), "There is no agent stranger"),
        (("remove", "stranger"), "There is no agent stranger"),
    ],
)
def test_what_cannot_be_done_is_said_on_stderr_and_ends_with_1(
    podkeeper: Run, words: tuple[str, ...], said: str
) -> None:
    podkeeper("add", "scout", "--owner", ANN)

    code, out, err = podkeeper(*words)

    assert (code, out) == (1, "")
    assert said in err


def test_an_agent_whose_secret_cannot_be_told_is_not_added(
    podkeeper: Run, tmp_path: Path, database: Database
) -> None:
    (tmp_path / "secret").write_text("nonsense")
    (tmp_path / "secret").chmod(0o600)

    code, _, err = podkeeper("add", "scout", "--owner", ANN)

    assert code == 1
    assert str(tmp_path / "secret") in err
    assert database.read_now(lambda session: agent(session, "scout")) is None


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("add",),
        ("add", "scout"),
        ("add", "no name", "--owner", ANN),
        ("add", "a", "--owner", "ann"),
        ("fly",),
    ],
)
def test_wrong_words_are_wrong_usage(podkeeper: Run, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as left:
        podkeeper(*words)

    assert left.value.code == 2


def test_only_its_owner_can_say_yes_mine(database: Database) -> None:
    house = House(database)
    house.add("scout", ANN, confirmed=False)

    with pytest.raises(AgentError, match=f"Only <@{ANN}>"):
        house.do(lambda session: confirm(session, "scout", BOB, house.clock.now()))
    house.do(lambda session: confirm(session, "scout", ANN, house.clock.now()))

    known = database.read_now(lambda session: agent(session, "scout"))
    assert known is not None
    assert known.confirmed_at == house.clock.now()
    assert recorded(house) == [(ANN, "agent.confirmed", "scout")]


def test_the_owner_before_cannot_confirm_the_agent_that_took_its_name(database: Database) -> None:
    house = House(database)
    house.add("scout", BOB, confirmed=False)

    with pytest.raises(AgentError):
        house.do(lambda session: confirm(session, "scout", ANN, house.clock.now()))
