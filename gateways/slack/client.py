"""Slack by slack_sdk as the house's `Slack`."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from gateways.connections import connector
from gateways.slack.answers import Reply, called, responded, text_of
from gateways.slack.errors import SlackRejected
from gateways.slack.person import Person, read_person
from gateways.slack.protocol import Block, Channel, Identity, Posted, View
from gateways.slack.text import MESSAGE, shortened

_TIMEOUT_SECONDS = 30
_EVENT_TYPE = "podkeeper_message"
_LATEST = 100
_WHOLE_THREAD = 1_000
"""`conversations.replies` begins with the oldest and gives no more at once (docs.slack.dev)."""
_NAMES = uuid.UUID("6f0b2f0e-6a5e-5c0e-9d0a-1f7f5e1c2b3d")
_BLOCK_FAULTS = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_arguments"}
)
_log = structlog.get_logger(__name__)


@asynccontextmanager
async def connected(token: str, api_url: str) -> AsyncIterator["WebSlack"]:
    """A client with a connection pool of its own, for the Slack at `api_url`."""
    patience = aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)
    async with aiohttp.ClientSession(connector=connector(), timeout=patience) as session:
        yield WebSlack(web_client(token, api_url, session), session)


def web_client(
    token: str | None, api_url: str, session: aiohttp.ClientSession | None = None
) -> AsyncWebClient:
    """slack_sdk's client without its retry of broken connections, which posts a message twice."""
    base_url = api_url if api_url.endswith("/") else f"{api_url}/"
    return AsyncWebClient(
        token, base_url=base_url, timeout=_TIMEOUT_SECONDS, session=session, retry_handlers=[]
    )


@dataclass(slots=True)
class WebSlack:
    """The client. Nothing is sent twice but a message whose blocks Slack has rejected, as text alone."""

    web: AsyncWebClient
    session: aiohttp.ClientSession
    _identity: Identity | None = None

    async def post(
        self,
        channel: str,
        text: str,
        *,
        blocks: Sequence[Block] = (),
        thread_ts: str | None = None,
        dedupe: str,
    ) -> Posted:
        metadata = {"event_type": _EVENT_TYPE, "event_payload": {"id": _name(dedupe)}}

        def send(shown: Sequence[Block]) -> Awaitable[Reply]:
            return called(
                self.web.chat_postMessage(
                    channel=channel,
                    text=text,
                    blocks=_plain(shown) or None,
                    thread_ts=thread_ts,
                    metadata=metadata,
                    unfurl_links=False,
                    unfurl_media=False,
                )
            )

        return await _posted(send, blocks, channel)

    async def find(self, channel: str, dedupe: str, *, thread_ts: str | None = None) -> Posted | None:
        if thread_ts is None:
            reply = await called(
                self.web.conversations_history(channel=channel, limit=_LATEST, include_all_metadata=True)
            )
        else:
            reply = await called(
                self.web.conversations_replies(
                    channel=channel, ts=thread_ts, limit=_WHOLE_THREAD, include_all_metadata=True
                )
            )
        messages, name = reply.get("messages"), _name(dedupe)
        found = [ts for ts in map(_named(name), messages) if ts] if isinstance(messages, list) else []
        return Posted(channel, found[0]) if found else None

    async def update(self, channel: str, ts: str, text: str, *, blocks: Sequence[Block] = ()) -> Posted:
        def send(shown: Sequence[Block]) -> Awaitable[Reply]:
            short = shortened(text, MESSAGE)
            return called(self.web.chat_update(channel=channel, ts=ts, text=short, blocks=_plain(shown)))

        return await _posted(send, blocks, channel, ts)

    async def ephemeral(
        self,
        channel: str,
        user: str,
        text: str,
        *,
        blocks: Sequence[Block] = (),
        thread_ts: str | None = None,
    ) -> None:
        def send(shown: Sequence[Block]) -> Awaitable[Reply]:
            return called(
                self.web.chat_postEphemeral(
                    channel=channel, user=user, text=text, blocks=_plain(shown) or None, thread_ts=thread_ts
                )
            )

        await _with_blocks_or_text(send, blocks)

    async def respond(
        self, response_url: str, text: str, *, blocks: Sequence[Block] = (), replace: bool = False
    ) -> None:
        hook = AsyncWebhookClient(
            response_url, timeout=_TIMEOUT_SECONDS, session=self.session, retry_handlers=[]
        )

        def send(shown: Sequence[Block]) -> Awaitable[Reply]:
            return responded(
                hook.send(
                    text=text,
                    blocks=_plain(shown) or None,
                    response_type="ephemeral",
                    replace_original=replace,
                )
            )

        await _with_blocks_or_text(send, blocks)

    async def open_dm(self, user: str) -> str:
        reply = await called(self.web.conversations_open(users=user))
        return text_of(reply, "channel", "id")

    async def upload(
        self,
        channel: str,
        filename: str,
        content: bytes,
        *,
        comment: str,
        thread_ts: str | None = None,
        alt: str | None = None,
    ) -> None:
        await called(
            self.web.files_upload_v2(
                channel=channel,
                filename=filename,
                title=filename,
                content=content,
                initial_comment=comment,
                alt_txt=alt,
                thread_ts=thread_ts,
            )
        )

    async def user(self, user: str) -> Person:
        team_id = (await self._who_once()).team_id
        reply = await called(self.web.users_info(user=user))
        described = reply.get("user")
        return read_person(described if isinstance(described, dict) else {}, user_id=user, team_id=team_id)

    async def open_view(self, trigger_id: str, view: View) -> str:
        reply = await called(self.web.views_open(trigger_id=trigger_id, view=dict(view)))
        return text_of(reply, "view", "id")

    async def update_view(self, view_id: str, view: View, *, hash_seen: str | None = None) -> None:
        await called(self.web.views_update(view_id=view_id, view=dict(view), hash=hash_seen))

    async def publish_home(self, user: str, view: View) -> None:
        await called(self.web.views_publish(user_id=user, view=dict(view)))

    async def channel(self, channel: str) -> Channel:
        reply = await called(self.web.conversations_info(channel=channel))
        described = reply.get("channel")
        described = described if isinstance(described, dict) else {}
        return Channel(
            channel_id=channel,
            name=str(described.get("name") or channel),
            bot_is_member=described.get("is_member") is True or described.get("is_im") is True,
            archived=described.get("is_archived") is not False,
        )

    async def who(self) -> Identity:
        reply = await called(self.web.auth_test())
        scopes = reply.scopes
        self._identity = Identity(text_of(reply, "team_id"), text_of(reply, "user_id"), scopes)
        return self._identity

    async def _who_once(self) -> Identity:
        return self._identity or await self.who()


def _name(dedupe: str) -> str:
    return str(uuid.uuid5(_NAMES, dedupe))


def _named(name: str) -> Callable[[object], str | None]:
    """The `ts` of a message that carries this name."""

    def ts_of(message: object) -> str | None:
        metadata = message.get("metadata") if isinstance(message, Mapping) else None
        if not isinstance(message, Mapping) or not isinstance(metadata, Mapping):
            return None
        payload, ts = metadata.get("event_payload"), message.get("ts")
        same = isinstance(payload, Mapping) and payload.get("id") == name
        return ts if same and metadata.get("event_type") == _EVENT_TYPE and isinstance(ts, str) else None

    return ts_of


def _plain(blocks: Sequence[Block]) -> list[dict[str, object]]:
    return [dict(block) for block in blocks]


async def _posted(
    send: Callable[[Sequence[Block]], Awaitable[Reply]],
    blocks: Sequence[Block],
    channel: str,
    ts: str | None = None,
) -> Posted:
    reply, text_only = await _with_blocks_or_text(send, blocks)
    return Posted(
        channel=str(reply.get("channel") or channel),
        ts=ts or text_of(reply, "ts"),
        text_only=text_only,
    )


async def _with_blocks_or_text(
    send: Callable[[Sequence[Block]], Awaitable[Reply]], blocks: Sequence[Block]
) -> tuple[Reply, bool]:
    try:
        return await send(blocks), False
    except SlackRejected as rejected:
        if not blocks or rejected.reason not in _BLOCK_FAULTS:
            raise
        _log.error("slack_rejected_blocks", reason=rejected.reason, details=list(rejected.details))
    return await send(()), True
