"""`podkeeper doctor`: one line for each check, each fault named with its setting."""

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
        ("RUNPOD_API_KEY", "", Name.RUNPOD_KEY),
        ("RUNPOD_API_KEY", "rpa_wrong", Name.RUNPOD_KEY),
        ("PODKEEPER_OPS_CHANNEL", "", Name.OPS_CHANNEL),
        ("PODKEEPER_OPS_CHANNEL", "C0NOWHERE", Name.OPS_CHANNEL),
        ("PODKEEPER_ADMINS", "", Name.ADMINS),
        ("PODKEEPER_ADMINS", "U0NOBODY", Name.ADMINS),
        ("DATABASE_URL", "sqlite:////nowhere/at/all.db", Name.DATABASE),
        ("PODKEEPER_SSH_KEY", "/nowhere/at/all", Name.SSH_KEY),
        ("PODKEEPER_SECRET_FILE", "/nowhere/at/all", Name.SECRET_FILE),
    ],
)
async def test_what_is_wrong_fails_its_check_and_is_named(
    right: dict[str, str], tmp_path: Path, setting: str, value: str, name: Name
):
    if setting == "DATABASE_URL":
        (tmp_path / "file").write_text("no database")
        value = f"sqlite:///{tmp_path / 'file'}"

    found = await checks({**right, setting: value})

    assert found[name].state is State.FAIL
    assert setting in found[name].sentence


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
        found = await checks({**right, "SLACK_APP_TOKEN": app_token})

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


async def test_secrets_are_hidden_where_settings_are_printed(right: dict[str, str]):
    given = {name.lower().removeprefix("podkeeper_"): value for name, value in right.items()}

    shown = dict(printed(read_settings(None, **given)))

    assert shown["SLACK_BOT_TOKEN"] == "(set, hidden)"
    assert right["RUNPOD_API_KEY"] not in str(shown)
