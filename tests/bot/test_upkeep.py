"""Commands for whoever has the machine: `db upgrade`, `log verify`, `run`."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import read_settings
from bot.upkeep import db, log, run
from pods.exit_codes import ExitCode
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from storage import migrations
from storage.database import Database
from storage.pod import snapshots
from storage.trail import Event, record
from tests.bot.process import environment

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    address = f"sqlite:///{tmp_path / 'podkeeper.db'}"
    monkeypatch.setenv("DATABASE_URL", address)
    return address


def written(url: str) -> None:
    database = Database(url)
    database.run_now(lambda session: record(session, Event(AT, "U1", "test.happened", "pod", {"n": 1})))
    database.close()


def test_upgrade_makes_a_new_database(url: str, capsys: pytest.CaptureFixture[str]):
    assert db.main(["upgrade"]) is ExitCode.OK
    assert migrations.is_current(url)
    assert f"version {migrations.HEAD}" in capsys.readouterr().out


def test_upgrade_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("DATABASE_URL", "mysql://nobody")

    assert db.main(["upgrade"]) is ExitCode.FAILED
    assert "DATABASE_URL" in capsys.readouterr().err


def test_a_whole_trail_is_verified(url: str, capsys: pytest.CaptureFixture[str]):
    migrations.upgrade(url)
    written(url)

    assert log.main(["verify"]) is ExitCode.OK
    assert capsys.readouterr().out.startswith("OK rows=1 head=")


def test_a_trail_that_is_not_the_expected_one_is_broken(url: str, capsys: pytest.CaptureFixture[str]):
    migrations.upgrade(url)
    written(url)

    assert log.main(["verify", "--expect", "f" * 64]) is ExitCode.FAILED
    assert capsys.readouterr().out.startswith(f"BROKEN expected={'f' * 64} head=")


def test_a_hash_of_no_known_form_is_wrong_usage(url: str):
    with pytest.raises(SystemExit) as left:
        log.main(["verify", "--expect", "abc"])

    assert left.value.code == ExitCode.USAGE


def test_without_a_database_there_is_no_trail(url: str, capsys: pytest.CaptureFixture[str]):
    assert log.main(["verify"]) is ExitCode.FAILED
    assert "there is no database yet" in capsys.readouterr().err


async def test_run_observe_writes_down_what_the_account_shows(tmp_path: Path):
    async with SlackSimulator() as slack, RunPodSimulator() as runpod:
        pod = runpod.rent("notebook", created=runpod.ago(hours=1))
        right = environment(slack, runpod, tmp_path)
        given = {name.lower().removeprefix("podkeeper_"): value for name, value in right.items()}
        await run.one_pass(read_settings(None, **given), "observe")

    database = Database(right["DATABASE_URL"])
    seen = await database.read(snapshots)
    database.close()
    assert pod.id in seen


def test_an_unknown_job_is_wrong_usage(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        run.main(["everything"])

    assert left.value.code == ExitCode.USAGE
    assert "stale-audit" in capsys.readouterr().err
