"""slack_sdk's answers and exceptions, turned into a plain mapping or one of our errors."""

import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import timedelta

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse
from slack_sdk.webhook.webhook_response import WebhookResponse

from gateways.slack.errors import AnswerLost, SlackUnreachable, Undeliverable, error_of

_CODE = re.compile(r"[a-z]+(?:_[a-z]+)+")
_NO_LONGER_GOOD = frozenset({403, 404, 410})


@dataclass(frozen=True, slots=True)
class Reply:
    """A successful answer."""

    data: Mapping[str, object]
    scopes: frozenset[str] = frozenset()
    """What the token may do, from the header `x-oauth-scopes`."""

    def get(self, key: str) -> object:
        return self.data.get(key)


async def called(call: Awaitable[AsyncSlackResponse]) -> Reply:
    """The answer of a Web API method.

    Raises:
        SlackUnreachable, AnswerLost, SlackRateLimited, SlackAuth, Undeliverable, SlackRejected
    """
    try:
        response = await call
    except SlackApiError as why:
        raise _api_error(why) from why
    except (aiohttp.ClientError, SlackClientError, TimeoutError, OSError) as why:
        raise _no_answer(why) from why
    data = response.data if isinstance(response.data, dict) else {}
    return Reply(data, _scopes(response.headers))


async def responded(call: Awaitable[WebhookResponse]) -> Reply:
    """The answer of a `response_url`. Errors as `called`."""
    try:
        response = await call
    except (aiohttp.ClientError, SlackClientError, TimeoutError, OSError) as why:
        raise _no_answer(why) from why
    if response.status_code == 200:
        return Reply({})
    code = _CODE.search(response.body or "")
    if response.status_code in _NO_LONGER_GOOD:
        raise Undeliverable(code[0] if code else "expired_url")
    raise error_of(
        code[0] if code and response.status_code < 500 else "",
        status=response.status_code,
        retry_after=_retry_after(response.headers),
    )


def text_of(reply: Reply, *path: str) -> str:
    """The text at `path` of an answer.

    Raises:
        AnswerLost: Slack said yes, but the text is not there.
    """
    value: object = reply.data
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(value, str) or not value:
        raise AnswerLost(f"Slack's answer has no {'.'.join(path)}")
    return value


def _api_error(why: SlackApiError) -> Exception:
    response: object = why.response
    data, headers = getattr(response, "data", None), getattr(response, "headers", {})
    status = getattr(response, "status_code", None) or getattr(response, "status", 0)
    data = data if isinstance(data, dict) else {}
    code = data.get("error")
    return error_of(
        code if isinstance(code, str) else "",
        status=status if isinstance(status, int) else 0,
        retry_after=_retry_after(headers),
        details=_details(data),
    )


def _details(data: Mapping[str, object]) -> list[str]:
    metadata = data.get("response_metadata")
    messages = metadata.get("messages") if isinstance(metadata, Mapping) else None
    return [message for message in messages if isinstance(message, str)] if isinstance(messages, list) else []


def _no_answer(why: Exception) -> Exception:
    words = str(why) or type(why).__name__
    if isinstance(why, aiohttp.ClientConnectorError | aiohttp.InvalidURL):
        return SlackUnreachable(f"Slack cannot be reached ({words})")
    return AnswerLost(f"Slack's answer was lost ({words})")


def _header(headers: object, name: str) -> str:
    if not isinstance(headers, Mapping):
        return ""
    found = next((value for key, value in headers.items() if str(key).lower() == name), "")
    return str(found[0] if isinstance(found, list) and found else found)


def _retry_after(headers: object) -> timedelta | None:
    value = _header(headers, "retry-after")
    return timedelta(seconds=int(value)) if value.isascii() and value.isdigit() else None


def _scopes(headers: object) -> frozenset[str]:
    return frozenset(
        scope.strip() for scope in _header(headers, "x-oauth-scopes").split(",") if scope.strip()
    )
