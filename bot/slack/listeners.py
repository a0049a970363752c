"""One listener for each kind of thing that Slack sends; what it means is decided once it is acknowledged."""

import re

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult

from bot.slack.door import SlackDoor
from gateways.slack.client import web_client
from gateways.slack.protocol import Identity

_ANY = re.compile("")


def bolt_app(door: SlackDoor, api_url: str, identity: Identity, signing_secret: str) -> AsyncApp:
    """The Bolt app behind both transports. It asks Slack nothing before an acknowledgement, for who the bot
    is was learned at the start; and it has no token, for it only listens."""

    async def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None,
            team_id=identity.team_id,
            bot_user_id=identity.bot_user_id,
        )

    app = AsyncApp(
        name="podkeeper",
        client=web_client(None, api_url),
        authorize=authorize,
        signing_secret=signing_secret,
        request_verification_enabled=bool(signing_secret),
        attaching_conversation_kwargs_enabled=False,
    )
    app.command(_ANY)(door.command)
    app.block_action(_ANY)(door.click)
    app.view_submission(_ANY)(door.submission)
    app.view_closed(_ANY)(door.closing)
    app.event(_ANY)(door.event)
    return app
