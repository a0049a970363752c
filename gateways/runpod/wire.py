"""One HTTP call to RunPod: budget, headers, time-out, answer, error; and the retry of safe calls."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import aiohttp
import stamina

from gateways.runpod.answers import Answer, Kind, error_in
from gateways.runpod.budget import Budget, Priority
from gateways.runpod.errors import AnswerUnknown, RateLimited, RunPodError, Unreachable
from gateways.runpod.json_values import Json, NotJson, parse_json
from gateways.runpod.logs import LogLine, read_events
from gateways.wall import Wall

USER_AGENT = "podkeeper/0.1"
"""RunPod's front door refuses callers that name no agent (Cloudflare 1010)."""
_TIMEOUT = aiohttp.ClientTimeout(total=30, connect=10)
_LARGEST_BODY = 32 * 1024 * 1024
_RETRY_WITHIN = timedelta(seconds=30)
_SHORT_WAIT = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Login:
    """Where RunPod is and who asks. The key is shown nowhere."""

    base_url: str
    api_key: str = field(repr=False)
    team_id: str | None = None

    def headers(self) -> dict[str, str]:
        headers = {"Authorization": f"Bearer {self.api_key}", "User-Agent": USER_AGENT}
        return headers | ({"X-Team-Id": self.team_id} if self.team_id else {})


async def sent_once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """aiohttp sends a GET or DELETE again by itself when its connection breaks. Here it does not: a call
    that changes something is sent once, and every call is counted.

    Raises:
        aiohttp.ClientConnectionError: the connection broke after the request may have left.
    """
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as why:
        raise aiohttp.ClientConnectionError(_words(why)) from why


@dataclass(frozen=True, slots=True)
class Wire:
    """Calls below `<base>/v2`."""

    session: aiohttp.ClientSession
    login: Login
    clock: Wall
    budget: Budget
    count: Callable[[str], None]
    """Told the outcome of every call: `ok`, or the name of the error."""
    timeout: aiohttp.ClientTimeout = _TIMEOUT

    async def read(self, path: str, priority: Priority, params: Mapping[str, str] | None = None) -> Answer:
        """A GET, sent up to three times.

        Raises:
            Unreachable, RateLimited, Unauthorized, NotFound
        """
        async for attempt in stamina.retry_context(on=_worth_another_try, attempts=3, timeout=_RETRY_WITHIN):
            with attempt:
                return await self._call(Kind.READ, "GET", path, priority, params=params)
        raise AssertionError("stamina ends by an answer or an error")

    async def write(
        self, kind: Kind, method: str, path: str, priority: Priority, body: Json = None
    ) -> Answer:
        """A call that changes something, sent exactly once.

        Raises:
            Any of our errors; `Unreachable` only if the request never left.
        """
        return await self._call(kind, method, path, priority, body=body)

    async def stream(
        self, path: str, priority: Priority, params: Mapping[str, str], *, lines: int, seconds: float
    ) -> tuple[LogLine, ...]:
        """The log lines that an event stream brings. Errors as `read`; not retried."""
        await self.budget.take(priority)
        async with self._outcome(), self._open(Kind.READ, "GET", path, params=params) as response:
            if response.status == 200 and response.content_type == "text/event-stream":
                return await read_events(response.content.iter_any(), lines=lines, seconds=seconds)
            answer = self._answer(response, await _read_bounded(response))
            raise error_in(answer, Kind.READ) or Unreachable("RunPod's answer is no log")

    async def _call(
        self,
        kind: Kind,
        method: str,
        path: str,
        priority: Priority,
        *,
        params: Mapping[str, str] | None = None,
        body: Json = None,
    ) -> Answer:
        await self.budget.take(priority)
        async with self._outcome():
            async with self._open(kind, method, path, params=params, body=body) as response:
                answer = self._answer(response, await _read_bounded(response))
            if (error := error_in(answer, kind)) is not None:
                raise error
            return answer

    @asynccontextmanager
    async def _outcome(self) -> AsyncIterator[None]:
        try:
            yield
        except RunPodError as error:
            if isinstance(error, RateLimited):
                self.budget.pause(error.retry_after)
            self.count(type(error).__name__)
            raise
        self.count("ok")

    @asynccontextmanager
    async def _open(
        self,
        kind: Kind,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Json = None,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response while it is being read; whatever breaks meanwhile becomes one of our errors."""
        try:
            async with self.session.request(
                method,
                f"{self.login.base_url.rstrip('/')}/v2/{path}",
                params=params,
                json=body,
                headers=self.login.headers(),
                timeout=self.timeout,
                allow_redirects=False,
            ) as response:
                self.budget.heed(response.headers.get("RateLimit", ""))
                yield response
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL) as why:
            raise Unreachable(f"RunPod cannot be reached ({_words(why)})") from why
        except (aiohttp.ClientError, TimeoutError, OSError) as why:
            if kind is Kind.READ:
                raise Unreachable(f"RunPod did not answer ({_words(why)})") from why
            raise AnswerUnknown(f"RunPod's answer was lost ({_words(why)})") from why

    def _answer(self, response: aiohttp.ClientResponse, raw: bytes) -> Answer:
        body, problem = _body(response, raw)
        return Answer(
            status=response.status,
            body=body,
            problem=problem,
            at=self.clock.now(),
            provider_at=_http_date(response.headers.get("Date")),
            retry_after=_seconds(response.headers.get("Retry-After")),
        )


def _worth_another_try(error: Exception) -> bool:
    if isinstance(error, RateLimited):
        return error.retry_after <= _SHORT_WAIT
    return isinstance(error, Unreachable)


async def _read_bounded(response: aiohttp.ClientResponse) -> bytes:
    chunks: list[bytes] = []
    left = _LARGEST_BODY
    async for chunk in response.content.iter_chunked(64 * 1024):
        left -= len(chunk)
        if left < 0:
            raise aiohttp.ClientPayloadError("the answer is larger than 32 MB")
        chunks.append(chunk)
    return b"".join(chunks)


def _body(response: aiohttp.ClientResponse, raw: bytes) -> tuple[Json, str | None]:
    if not raw and response.status in (200, 202, 204):
        return None, None
    try:
        return parse_json(raw), None
    except NotJson:
        return None, f"{response.content_type}, {len(raw)} bytes"


def _http_date(value: str | None) -> datetime | None:
    try:
        parsed = parsedate_to_datetime(value or "")
    except ValueError:
        return None
    return parsed.astimezone(UTC) if parsed.tzinfo is not None else None


def _seconds(value: str | None) -> timedelta | None:
    return timedelta(seconds=int(value)) if value and value.isascii() and value.isdigit() else None


def _words(why: Exception) -> str:
    return str(why) or type(why).__name__
