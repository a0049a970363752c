"""The checks that ask Slack."""

import aiohttp

from bot.doctor.check import Check, Name, fail, ok, skip
from bot.starting import NO_WAY_IN, NotReady, admins, ops_channel
from gateways.slack.answers import called
from gateways.slack.client import web_client
from gateways.slack.errors import SlackError
from gateways.slack.protocol import Identity, Slack

SCOPES = frozenset(
    {
        "channels:read",
        "chat:write",
        "commands",
        "files:write",
        "groups:read",
        "im:history",
        "im:write",
        "users:read",
    }
)
"""What the bot's token must be allowed; `manifest.yml` asks for the same."""
BY_HAND = "see for yourself that App Home's Messages tab is on, which Slack tells nobody"
"""Without that tab nobody can be asked anything in a DM."""
_NO_WAY_IN = fail(Name.SLACK_APP_SETTINGS, NO_WAY_IN)


async def slack_checks(
    slack: Slack | None,
    api_url: str,
    app_token: str | None,
    channel: str | None,
    who: frozenset[str],
    *,
    way_in: bool = True,
) -> list[Check]:
    """Token, scopes, settings of the app, ops channel, admins. `way_in`: whether it is set how Slack comes to
    the service, which a service that runs knows to be so."""
    if slack is None:
        return [fail(Name.SLACK_TOKEN, "SLACK_BOT_TOKEN: is not set"), *_skipped(way_in)]
    try:
        identity = await slack.who()
    except SlackError as error:
        return [
            fail(Name.SLACK_TOKEN, f"SLACK_BOT_TOKEN, SLACK_API_URL: {error.sentence}"),
            *_skipped(way_in),
        ]
    return [
        ok(Name.SLACK_TOKEN, f"the bot is {identity.bot_user_id} in workspace {identity.team_id}"),
        _scopes(identity),
        await _app_settings(api_url, app_token) if way_in else _NO_WAY_IN,
        await _ops_channel(slack, channel),
        await _admins(slack, who),
    ]


def _skipped(way_in: bool) -> list[Check]:
    names = (Name.SLACK_SCOPES, Name.SLACK_APP_SETTINGS, Name.OPS_CHANNEL, Name.ADMINS)
    skipped = [skip(name, "Slack has to be reached first") for name in names]
    return [check if way_in or check.name is not _NO_WAY_IN.name else _NO_WAY_IN for check in skipped]


def _scopes(identity: Identity) -> Check:
    if not identity.scopes:
        return skip(Name.SLACK_SCOPES, "Slack did not say what the token may do")
    missing = sorted(SCOPES - identity.scopes)
    if missing:
        sentence = f"the token lacks {', '.join(missing)}; install the app again with manifest.yml"
        return fail(Name.SLACK_SCOPES, sentence)
    return ok(Name.SLACK_SCOPES, "the token may do all that it has to")


async def _app_settings(api_url: str, app_token: str | None) -> Check:
    if app_token is None:
        return skip(Name.SLACK_APP_SETTINGS, f"without SLACK_APP_TOKEN they cannot be seen; {BY_HAND}")
    async with aiohttp.ClientSession() as session:
        try:
            await called(web_client(None, api_url, session).apps_connections_open(app_token=app_token))
        except SlackError as error:
            sentence = f"SLACK_APP_TOKEN: Socket Mode cannot be used; {error.sentence}"
            return fail(Name.SLACK_APP_SETTINGS, sentence)
    return ok(Name.SLACK_APP_SETTINGS, f"Socket Mode is on; {BY_HAND}")


async def _ops_channel(slack: Slack, channel: str | None) -> Check:
    if not channel:
        return fail(Name.OPS_CHANNEL, "PODKEEPER_OPS_CHANNEL: is not set; give a channel's id")
    try:
        name = await ops_channel(slack, channel)
    except NotReady as fault:
        return fail(Name.OPS_CHANNEL, str(fault))
    except SlackError as error:
        return fail(Name.OPS_CHANNEL, f"PODKEEPER_OPS_CHANNEL: {error.sentence}")
    return ok(Name.OPS_CHANNEL, f"the bot is in #{name}")


async def _admins(slack: Slack, who: frozenset[str]) -> Check:
    try:
        active = await admins(slack, who)
    except NotReady as fault:
        return fail(Name.ADMINS, str(fault))
    except SlackError as error:
        return fail(Name.ADMINS, f"PODKEEPER_ADMINS: {error.sentence}")
    return ok(Name.ADMINS, f"{active} of {len(who)} are active full members")
