"""`podkeeper serve` in a process of its own: it starts, answers and stops; or refuses with a sentence."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.serve import FAULTS
from bot.serve import serve as serve_until_stopped
from bot.settings import read_settings
from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from storage import migrations
from storage.database import Database
from tests.bot.process import environment, started


@pytest.fixture
async def slack() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator() as simulator:
        yield simulator


@pytest.fixture
async def runpod() -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator() as simulator:
        yield simulator


@pytest.fixture
def right(slack: SlackSimulator, runpod: RunPodSimulator, tmp_path: Path) -> dict[str, str]:
    return environment(slack, runpod, tmp_path)


async def test_it_makes_its_database_answers_and_stops_in_peace(
    slack: SlackSimulator, right: dict[str, str], tmp_path: Path
):
    missing = {"PODKEEPER_BOOTSTRAP_SCRIPT": str(tmp_path / "to-be-written.sh")}
    async with started({**right, **missing}, tmp_path) as serve:
        await slack.connected(within=55)
        await slack.people.alice.types("/pod help")
        await slack.people.alice.sees("/pod help [command]")

        assert await serve.stops() == 0
    assert "Traceback" not in serve.said
    assert missing["PODKEEPER_BOOTSTRAP_SCRIPT"] in serve.said


async def test_what_cannot_be_right_is_said_on_stderr_without_a_traceback(
    right: dict[str, str], tmp_path: Path
):
    async with started({**right, "SLACK_BOT_TOKEN": "xoxb-wrong-token"}, tmp_path) as serve:
        assert await serve.ends(within=55) == 1

    assert "SLACK_BOT_TOKEN" in serve.said
    assert "xoxb-wrong-token" not in serve.said
    assert "Traceback" not in serve.said


async def refusal(settings: dict[str, str], _: Path | None = None) -> str:
    """What the service says instead of starting."""
    given = {name.lower().removeprefix("podkeeper_"): value for name, value in settings.items() if value}
    with pytest.raises(FAULTS) as refused:
        await serve_until_stopped(read_settings(None, **given))
    return str(refused.value)


async def test_a_setting_that_cannot_be_read_is_named(right: dict[str, str], tmp_path: Path):
    said = await refusal({**right, "PODKEEPER_UNDO": "soon"}, tmp_path)

    assert "PODKEEPER_UNDO" in said


async def test_a_wrong_runpod_key_is_named(right: dict[str, str], tmp_path: Path):
    said = await refusal({**right, "RUNPOD_API_KEY": "rpa_wrong"}, tmp_path)

    assert "RUNPOD_API_KEY" in said


async def test_without_any_way_to_slack_it_refuses(right: dict[str, str], tmp_path: Path):
    said = await refusal({**right, "SLACK_APP_TOKEN": ""}, tmp_path)

    assert "SLACK_APP_TOKEN, SLACK_SIGNING_SECRET" in said


async def test_without_an_ops_channel_it_refuses(right: dict[str, str], tmp_path: Path):
    said = await refusal({**right, "PODKEEPER_OPS_CHANNEL": ""}, tmp_path)

    assert "PODKEEPER_OPS_CHANNEL" in said


async def test_an_ops_channel_without_the_bot_is_refused(
    slack: SlackSimulator, right: dict[str, str], tmp_path: Path
):
    said = await refusal({**right, "PODKEEPER_OPS_CHANNEL": slack.channel("#random").id}, tmp_path)

    assert "PODKEEPER_OPS_CHANNEL: the bot is not in #random" in said


async def test_without_an_admin_it_refuses(right: dict[str, str], tmp_path: Path):
    said = await refusal({**right, "PODKEEPER_ADMINS": ""}, tmp_path)

    assert "PODKEEPER_ADMINS" in said


async def test_admins_who_all_left_are_refused(slack: SlackSimulator, right: dict[str, str], tmp_path: Path):
    said = await refusal({**right, "PODKEEPER_ADMINS": slack.people.dee.id}, tmp_path)

    assert "PODKEEPER_ADMINS: none of" in said


async def test_a_second_serve_on_one_file_is_refused(
    slack: SlackSimulator, right: dict[str, str], tmp_path: Path
):
    url = right["DATABASE_URL"]
    migrations.upgrade(url)
    held = Database(url)
    held.lock_for_serve()
    try:
        said = await refusal(right, tmp_path)
    finally:
        held.close()

    assert "Another `podkeeper serve` works on" in said


async def test_a_port_that_is_taken_is_named(slack: SlackSimulator, right: dict[str, str], tmp_path: Path):
    taken = slack.api_url.split(":")[2].split("/")[0]

    said = await refusal({**right, "PODKEEPER_HTTP_PORT": taken}, tmp_path)

    assert "PODKEEPER_HTTP_PORT" in said


async def test_a_database_that_is_out_of_date_is_refused(right: dict[str, str], tmp_path: Path):
    url = right["DATABASE_URL"]
    migrations.upgrade(url)
    database = Database(url)
    database.run_now(
        lambda session: session.connection().exec_driver_sql("UPDATE alembic_version SET version_num='0001'")
    )
    database.close()

    said = await refusal(right, tmp_path)

    assert "podkeeper db upgrade" in said
