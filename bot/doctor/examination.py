"""All checks, in the order of the contract."""

import asyncio
from contextlib import AsyncExitStack

from bot.app import shown
from bot.doctor.check import Check, Name
from bot.doctor.machine import machine_checks
from bot.doctor.runpod import runpod_checks
from bot.doctor.slack import slack_checks
from bot.settings import Settings
from gateways.runpod.budget import Budget
from gateways.runpod.client import connected as connected_runpod
from gateways.runpod.protocol import RunPod
from gateways.runpod.wire import Login
from gateways.slack.client import connected as connected_slack
from gateways.slack.protocol import Slack
from gateways.wall import clock_of


async def examined(settings: Settings) -> list[Check]:
    """Every check, made now. Raises ClockSettingError if PODKEEPER_CLOCK is none."""
    async with AsyncExitStack() as open_things:
        slack = await _slack(settings, open_things)
        runpod = await _runpod(settings, open_things)
        by_slack, by_runpod = await asyncio.gather(
            slack_checks(
                slack,
                settings.slack_api_url,
                shown(settings.slack_app_token),
                settings.ops_channel,
                frozenset(settings.admins),
                way_in=bool(settings.slack_app_token or settings.slack_signing_secret),
            ),
            runpod_checks(runpod),
        )
    here = machine_checks(settings)
    order = list(Name)
    return sorted([*by_slack, *by_runpod, *here], key=lambda check: order.index(check.name))


async def _slack(settings: Settings, open_things: AsyncExitStack) -> Slack | None:
    token = shown(settings.slack_bot_token)
    if token is None:
        return None
    return await open_things.enter_async_context(connected_slack(token, settings.slack_api_url))


async def _runpod(settings: Settings, open_things: AsyncExitStack) -> RunPod | None:
    key = shown(settings.runpod_api_key)
    if key is None:
        return None
    clock = clock_of(settings.clock)
    login = Login(settings.runpod_api_base_url, key, settings.runpod_team_id)
    return await open_things.enter_async_context(connected_runpod(login, clock, Budget(clock)))
