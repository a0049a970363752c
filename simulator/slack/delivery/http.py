"""Signed HTTP requests to the app (docs.slack.dev/authentication/verifying-requests-from-slack)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout

from simulator.slack.delivery.transport import Envelope, Result
from simulator.slack.jsontypes import JsonObject, parse

FORM = "application/x-www-form-urlencoded"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """`x-slack-signature` of a body: HMAC-SHA256 over `v0:<timestamp>:<body>`."""
    digest = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256)
    return f"v0={digest.hexdigest()}"


class HttpSender:
    name = "http"

    def __init__(self, request_url: str, secret: str) -> None:
        self.request_url = request_url
        self._secret = secret
        self._session: ClientSession | None = None

    async def deliver(self, envelope: Envelope, within: float) -> Result:
        body, content_type = encoded(envelope)
        headers = self.headers(body, content_type)
        if envelope.retry_attempt > 0:
            headers |= {
                "x-slack-retry-num": str(envelope.retry_attempt),
                "x-slack-retry-reason": envelope.retry_reason,
            }
        return await self._post(body, headers, within)

    def headers(self, body: bytes, content_type: str) -> dict[str, str]:
        timestamp = str(int(time.time()))
        return {
            "content-type": content_type,
            "x-slack-request-timestamp": timestamp,
            "x-slack-signature": signature(self._secret, timestamp, body),
        }

    async def verify_url(self) -> None:
        """Slack's check of a request URL: it must echo the challenge. Raises `ConnectionError` otherwise."""
        body = json.dumps({"type": "url_verification", "token": "simulated", "challenge": "c-1"}).encode()
        result = await self._post(body, self.headers(body, "application/json"), 3.0)
        said = result.answer or {}
        if result.outcome != "acknowledged" or "c-1" not in {said.get("challenge"), said.get("text")}:
            raise ConnectionError(f"{self.request_url} did not answer the url_verification challenge")

    async def _post(self, body: bytes, headers: dict[str, str], within: float) -> Result:
        if self._session is None:
            self._session = ClientSession()
        try:
            async with (
                asyncio.timeout(within),
                self._session.post(
                    self.request_url, data=body, headers=headers, timeout=ClientTimeout(total=None)
                ) as response,
            ):
                text = await response.text()
                may_retry = response.headers.get("x-slack-no-retry") != "1"
                if response.status != 200:
                    return Result("http_error", {"text": text}, may_retry)
                return Result("acknowledged", _answer(text), may_retry)
        except TimeoutError:
            return Result("timeout")
        except (ClientError, OSError):
            return Result("connection_failed")

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


def encoded(envelope: Envelope) -> tuple[bytes, str]:
    """The body: events as JSON, commands as a form, the rest as a form with one JSON field."""
    match envelope.kind:
        case "events_api":
            return json.dumps(envelope.payload).encode(), "application/json"
        case "slash_commands":
            return urlencode({key: str(value) for key, value in envelope.payload.items()}).encode(), FORM
        case _:
            return urlencode({"payload": json.dumps(envelope.payload)}).encode(), FORM


def _answer(text: str) -> JsonObject:
    """The body of a 200: JSON, or the text of an answer."""
    try:
        found = parse(text) if text else {}
    except ValueError:
        return {"text": text}
    return found if isinstance(found, dict) else {"text": text}
