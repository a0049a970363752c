"""The composition root: builds the real things from the settings and hands them round."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from pydantic import SecretStr

from bot import plain_values
from bot.doctor.check import failing
from bot.doctor.machine import machine_checks
from bot.settings import Settings, SettingsError
from gateways.runpod.budget import Budget
from gateways.runpod.client import connected as connected_runpod
from gateways.runpod.shared import SharedListing
from gateways.runpod.status_text import StatusTextWitness
from gateways.runpod.wire import Login
from gateways.slack.client import connected as connected_slack
from gateways.ssh.client import Ssh
from gateways.ssh.service_key import load_or_make
from gateways.wall import clock_of
from jobs.house import House
from storage.database import Database


@asynccontextmanager
async def house_of(
    settings: Settings, database: Database, count: Callable[[str], None] = lambda _outcome: None
) -> AsyncIterator[House]:
    """Everything that jobs and doors work with, open until the block ends. `count` is told the outcome of
    every call to RunPod.

    Raises:
        SettingsError: a setting that this needs is missing or unusable.
    """
    login = Login(
        settings.runpod_api_base_url,
        _needed(shown(settings.runpod_api_key), "RUNPOD_API_KEY"),
        settings.runpod_team_id,
    )
    token = _needed(shown(settings.slack_bot_token), "SLACK_BOT_TOKEN")
    clock = clock_of(settings.clock)
    budget = Budget(clock)
    key = load_or_make(settings.ssh_key)
    async with AsyncExitStack() as open_things:
        runpod_client = await open_things.enter_async_context(connected_runpod(login, clock, budget, count))
        slack_client = await open_things.enter_async_context(connected_slack(token, settings.slack_api_url))
        yield House(
            clock=clock,
            db=database,
            runpod=runpod_client,
            listing=SharedListing(runpod_client, clock, settings.provision_poll),
            witness=StatusTextWitness(login, clock, budget),
            ssh=Ssh(key),
            public_key=key.export_public_key("openssh").decode().strip(),
            slack=slack_client,
            ops_channel=_needed(settings.ops_channel, "PODKEEPER_OPS_CHANNEL"),
            admins=frozenset(settings.admins),
            policy=plain_values.policy_of(settings),
            waits=plain_values.waits_of(settings),
            defaults=plain_values.defaults_of(settings),
            schedules=plain_values.schedules_of(settings),
            answers=plain_values.answers_of(settings),
            ceilings=plain_values.ceilings_of(settings),
            on_pod=plain_values.on_pod_of(settings),
            agent_events_per_minute=settings.agent_events_per_minute,
            faults_here=lambda: failing(machine_checks(settings)),
        )


def shown(secret: SecretStr | None) -> str | None:
    """A secret in the open, for whoever needs it."""
    return None if secret is None else secret.get_secret_value()


def _needed(value: str | None, name: str) -> str:
    if not value:
        raise SettingsError(f"{name}: is not set, and this needs it")
    return value
