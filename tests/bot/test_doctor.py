"""`podkeeper doctor`: one line for each check, each fault named with its setting."""

import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
import yaml

from bot.app import house_of
from bot.doctor.check import Check, Name, State, failing
from bot.doctor.examination import examined
from bot.settings import printed, read_settings
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from simulator.slack.manifest import Manifest
from storage import migrations
from storage.database import Database
from tests.bot.process import HERE, environment


@pytest.fixture
async def slack() -> AsyncIterator[SlackSimulator]:
    manifest = Manifest.parse(yaml.safe_load((HERE / "manifest.yml").read_text()))
    async with SlackSimulator(manifest=manifest) as simulator:
        yield simulator


@pytest.fixture
async def runpod() -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator() as simulator:
        yield simulator


@pytest.fixture
def right(slack: SlackSimulator, runpod: RunPodSimulator, tmp_path: Path) -> dict[str, str]:
    return environment(slack, runpod, tmp_path)


async def checks(settings: Mapping[str, str]) -> dict[Name, Check]:
    given = {name.lower().removeprefix("podkeeper_"): value for name, value in settings.items() if value}
    return {check.name: check for check in await examined(read_settings(None, **given))}


async def test_where_all_is_right_nothing_fails(right: dict[str, str]):
    found = await checks(right)

    assert failing(list(found.values())) == ()
    assert list(found) == list(Name)


async def test_a_check_is_one_line_with_state_and_name(right: dict[str, str]):
    for check in (await checks(right)).values():
        assert str(check).startswith(f"{check.state} {check.name}: ")
        assert "\n" not in str(check)


@pytest.mark.parametrize(
    ("setting", "value", "name"),
    [
        ("SLACK_BOT_TOKEN", "", Name.SLACK_TOKEN),
        ("SLACK_BOT_TOKEN", "xoxb-wrong", Name.SLACK_TOKEN),
        ("SLACK_APP_TOKEN", "xapp-wrong", Name.SLACK_APP_SETTINGS),
        ("SLACK_APP_TOKEN", "", Name.SLACK_APP_SETTINGS),
        ("RUNPOD_API_KEY", "", Name.RUNPOD_KEY),
        ("RUNPOD_API_KEY", "rpa_wrong", Name.RUNPOD_KEY),
        ("PODKEEPER_OPS_CHANNEL", "", Name.OPS_CHANNEL),
        ("PODKEEPER_OPS_CHANNEL", "C0NOWHERE", Name.OPS_CHANNEL),
        ("PODKEEPER_ADMINS", "", Name.ADMINS),
        ("PODKEEPER_ADMINS", "U0NOBODY", Name.ADMINS),
        ("DATABASE_URL", "sqlite:////nowhere/at/all.db", Name.DATABASE),
        ("DATABASE_URL", "(a file that is no database)", Name.DATABASE),
        ("PODKEEPER_SSH_KEY", "/nowhere/at/all", Name.SSH_KEY),
        ("PODKEEPER_SECRET_FILE", "/nowhere/at/all", Name.SECRET_FILE),
        ("PODKEEPER_BOOTSTRAP_SCRIPT", "/nowhere/at/all", Name.SECRET_FILE),
        ("PODKEEPER_PREFLIGHT_SCRIPT", "/nowhere/at/all", Name.SECRET_FILE),
        ("PODKEEPER_GIT_TOKEN_FILE", "/nowhere/at/all", Name.SECRET_FILE),
    ],
)
async def test_what_is_wrong_fails_its_check_and_is_named(
    right: dict[str, str], tmp_path: Path, setting: str, value: str, name: Name
):
    if value.startswith("(a file"):
        (tmp_path / "file").write_text("no database")
        value = f"sqlite:///{tmp_path / 'file'}"

    found = await checks({**right, setting: value})

    assert found[name].state is State.FAIL
    assert setting in found[name].sentence


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        ("DATABASE_URL", Name.DATABASE),
        ("PODKEEPER_SSH_KEY", Name.SSH_KEY),
        ("PODKEEPER_SECRET_FILE", Name.SECRET_FILE),
    ],
)
async def test_a_folder_that_cannot_be_written_is_named(
    right: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, name: Name
):
    """Asked of the system, because whoever runs the tests may be allowed everything."""
    locked = tmp_path / "locked"
    locked.mkdir()
    monkeypatch.setattr(os, "access", lambda folder, _: folder != locked)
    address = f"sqlite:///{locked / 'x'}" if setting == "DATABASE_URL" else str(locked / "x")

    found = (await checks({**right, setting: address}))[name]

    assert (found.state, f"the folder {locked}" in found.sentence) == (State.FAIL, True)


async def test_a_folder_of_the_database_that_is_not_there_is_named(right: dict[str, str]):
    found = await checks({**right, "DATABASE_URL": "sqlite:////nowhere/at/all.db"})

    assert "the folder /nowhere/at does not exist" in found[Name.DATABASE].sentence


async def test_without_any_way_to_slack_it_fails_though_slack_cannot_be_asked(right: dict[str, str]):
    found = await checks({**right, "SLACK_APP_TOKEN": "", "SLACK_BOT_TOKEN": ""})

    assert found[Name.SLACK_APP_SETTINGS].state is State.FAIL


async def test_all_that_is_wrong_with_the_files_is_in_one_line(right: dict[str, str]):
    files = ("PODKEEPER_SECRET_FILE", "PODKEEPER_BOOTSTRAP_SCRIPT", "PODKEEPER_GIT_TOKEN_FILE")
    found = await checks({**right, **dict.fromkeys(files, "/nowhere/at/all")})

    assert [check.name for check in found.values() if check.state is State.FAIL] == [Name.SECRET_FILE]
    assert all(setting in found[Name.SECRET_FILE].sentence for setting in files)


async def test_what_depends_on_a_failed_check_is_skipped(right: dict[str, str]):
    found = await checks({**right, "SLACK_BOT_TOKEN": "xoxb-wrong"})

    assert found[Name.OPS_CHANNEL].state is State.SKIP


async def test_a_clock_that_is_off_fails(right: dict[str, str], runpod: RunPodSimulator):
    runpod.quirks.account.date_offset_s = 600

    found = await checks(right)

    assert found[Name.CLOCK].state is State.FAIL


async def test_a_list_that_is_not_whole_fails(right: dict[str, str], runpod: RunPodSimulator):
    runpod.quirks.account.listing = "html"

    assert (await checks(right))[Name.RUNPOD_SEES_PODS].state is State.FAIL


async def test_an_out_of_date_database_fails_with_the_command_that_mends_it(right: dict[str, str]):
    migrations.upgrade(right["DATABASE_URL"])
    database = Database(right["DATABASE_URL"])
    database.run_now(
        lambda session: session.connection().exec_driver_sql("UPDATE alembic_version SET version_num='0001'")
    )
    database.close()

    found = (await checks(right))[Name.DATABASE]

    assert (found.state, "podkeeper db upgrade" in found.sentence) == (State.FAIL, True)


async def test_what_nothing_here_can_see_is_left_to_be_looked_at_by_hand(right: dict[str, str]):
    for app_token in ("", right["SLACK_APP_TOKEN"]):
        found = await checks({**right, "SLACK_APP_TOKEN": app_token, "SLACK_SIGNING_SECRET": "secret"})

        assert "Messages tab" in found[Name.SLACK_APP_SETTINGS].sentence


async def test_a_service_knows_what_is_wrong_on_its_own_machine(right: dict[str, str]):
    migrations.upgrade(right["DATABASE_URL"])
    settings = read_settings(
        None, **{name.lower().removeprefix("podkeeper_"): value for name, value in right.items()}
    )
    settings.secret_file.write_text("no key")
    settings.secret_file.chmod(0o600)

    async with house_of(settings, Database(right["DATABASE_URL"])) as house:
        faults = house.faults_here()
        house.db.close()

    assert [fault.split(":")[0] for fault in faults] == ["FAIL secret_file"]


async def test_a_service_knows_once_of_a_script_that_is_missing(right: dict[str, str]):
    migrations.upgrade(right["DATABASE_URL"])
    scripts = {"bootstrap_script": "/nowhere/at/all"}
    given = {name.lower().removeprefix("podkeeper_"): value for name, value in right.items()}

    async with house_of(read_settings(None, **given, **scripts), Database(right["DATABASE_URL"])) as house:
        faults = house.faults_here()
        house.db.close()

    assert len(faults) == 1
    assert "PODKEEPER_BOOTSTRAP_SCRIPT" in faults[0]


async def test_secrets_are_hidden_where_settings_are_printed(right: dict[str, str]):
    given = {name.lower().removeprefix("podkeeper_"): value for name, value in right.items()}

    shown = dict(printed(read_settings(None, **given)))

    assert shown["SLACK_BOT_TOKEN"] == "(set, hidden)"
    assert right["RUNPOD_API_KEY"] not in str(shown)
