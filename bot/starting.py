"""What has to be right before the service starts. What may be down for a while is waited for, aloud."""

import asyncio

import structlog

from gateways.runpod.errors import RunPodError, Unauthorized
from gateways.slack.errors import (
    AnswerLost,
    SlackAuth,
    SlackError,
    SlackRateLimited,
    SlackUnreachable,
    Undeliverable,
)
from gateways.slack.protocol import Identity, Slack
from jobs.house import House

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 30.0
RUNPOD_GETS_SECONDS = 0.5

NO_WAY_IN = (
    "SLACK_APP_TOKEN, SLACK_SIGNING_SECRET: neither is set; the first is for Socket Mode, the second for HTTP"
)

_log = structlog.get_logger(__name__)


class NotReady(Exception):
    """The service must not start like this; the message names the setting and what would be right."""


async def identity_of(house: House) -> Identity:
    """Who the bot is, once Slack and the ops channel, the admins and the RunPod key are what they must be.

    While Slack cannot be reached it is asked again and again. A RunPod that is slow or away keeps nobody from
    starting; a key that RunPod refuses does. Raises NotReady.
    """
    key = asyncio.create_task(_runpod_key(house), name="first call to RunPod")
    try:
        identity = await _slack(house)
        await asyncio.wait({key}, timeout=RUNPOD_GETS_SECONDS)
        if key.done():
            key.result()
        return identity
    finally:
        key.cancel()
        await asyncio.gather(key, return_exceptions=True)


async def _slack(house: House) -> Identity:
    pause = FIRST_PAUSE_SECONDS
    while True:
        try:
            return await checked(house)
        except (SlackUnreachable, AnswerLost, SlackRateLimited) as error:
            _log.warning("Slack cannot be asked yet; I keep trying", why=error.sentence, seconds=pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


async def checked(house: House) -> Identity:
    """Who the bot is, after one look. Raises NotReady, or a SlackError that time may mend."""
    try:
        identity = await house.slack.who()
    except SlackAuth as error:
        raise NotReady(f"SLACK_BOT_TOKEN: {error.sentence}") from error
    await asyncio.gather(ops_channel(house.slack, house.ops_channel), admins(house.slack, house.admins))
    return identity


async def ops_channel(slack: Slack, channel_id: str) -> str:
    """The ops channel's name, if the bot is in it. Raises NotReady, or a SlackError that time may mend."""
    try:
        channel = await slack.channel(channel_id)
    except Undeliverable as error:
        raise NotReady(
            f"PODKEEPER_OPS_CHANNEL: the bot sees no channel {channel_id} ({error.reason}). Give the "
            "id of a channel, like C0123456789, and invite the bot to it"
        ) from error
    except SlackAuth as error:
        raise NotReady(f"PODKEEPER_OPS_CHANNEL: {error.sentence}") from error
    if channel.archived:
        raise NotReady(f"PODKEEPER_OPS_CHANNEL: #{channel.name} is archived; name another channel")
    if not channel.bot_is_member:
        raise NotReady(f"PODKEEPER_OPS_CHANNEL: the bot is not in #{channel.name}; invite it there")
    return channel.name


async def admins(slack: Slack, who: frozenset[str]) -> int:
    """How many admins are active full members; at least one is. Raises NotReady."""
    if not who:
        raise NotReady("PODKEEPER_ADMINS: names nobody; give the user ids of those who may arm and pause")
    found = await asyncio.gather(*(_is_full_member(slack, admin) for admin in sorted(who)))
    if not any(found):
        raise NotReady(
            f"PODKEEPER_ADMINS: none of {', '.join(sorted(who))} is an active full member of the "
            "workspace; name at least one"
        )
    return sum(found)


async def _is_full_member(slack: Slack, user: str) -> bool:
    try:
        return (await slack.user(user)).full_member
    except Undeliverable:
        return False
    except (SlackUnreachable, AnswerLost, SlackRateLimited):
        raise
    except SlackError as error:
        raise NotReady(f"PODKEEPER_ADMINS: {user}: {error.sentence}") from error


async def _runpod_key(house: House) -> None:
    try:
        await house.runpod.ssh_keys()
    except Unauthorized as error:
        raise NotReady(f"RUNPOD_API_KEY: {error.sentence}") from error
    except RunPodError as error:
        _log.warning("RunPod cannot be asked yet; I keep trying", why=error.sentence)
