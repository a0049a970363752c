"""Faults on demand: what the next calls and deliveries suffer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeAlias


@dataclass(frozen=True)
class ErrorAnswer:
    code: str


@dataclass(frozen=True)
class RateLimit:
    retry_after: int


@dataclass(frozen=True)
class HttpError:
    status: int


@dataclass(frozen=True)
class LostAnswer:
    """Done, but the connection drops before the answer."""


@dataclass(frozen=True)
class Refused:
    """The connection drops before anything is done."""


@dataclass(frozen=True)
class Slow:
    seconds: float


CallFault: TypeAlias = ErrorAnswer | RateLimit | HttpError | LostAnswer | Refused | Slow


@dataclass
class _Planned:
    pattern: str
    fault: CallFault
    times: int


@dataclass(frozen=True)
class DeliveryFault:
    """How the next delivery goes: after a delay, and in how many copies."""

    delay: float = 0.0
    copies: int = 1


Cut = Callable[[], Awaitable[None]]


class Faults:
    """Faults are taken in the order in which they were asked for."""

    def __init__(self, cut: Cut, refresh: Cut) -> None:
        self._cut, self._refresh = cut, refresh
        self._calls: list[_Planned] = []
        self._deliveries: list[DeliveryFault] = []
        self._response_urls: list[int] = []
        self.is_down = False

    def error(self, method: str, code: str, times: int = 1) -> None:
        self._calls.append(_Planned(method, ErrorAnswer(code), times))

    def rate_limit(self, method: str, retry_after: int = 1, times: int = 1) -> None:
        self._calls.append(_Planned(method, RateLimit(retry_after), times))

    def http(self, method: str, status: int = 500, times: int = 1) -> None:
        self._calls.append(_Planned(method, HttpError(status), times))

    def lose_answer(self, method: str, times: int = 1) -> None:
        self._calls.append(_Planned(method, LostAnswer(), times))

    def refuse(self, method: str, times: int = 1) -> None:
        self._calls.append(_Planned(method, Refused(), times))

    def slow(self, method: str, seconds: float, times: int = 1) -> None:
        self._calls.append(_Planned(method, Slow(seconds), times))

    def response_url(self, status: int, times: int = 1) -> None:
        self._response_urls += [status] * times

    def duplicate(self, times: int = 1) -> None:
        self._deliveries += [DeliveryFault(copies=2)] * times

    def delay_delivery(self, seconds: float, times: int = 1) -> None:
        self._deliveries += [DeliveryFault(delay=seconds)] * times

    async def cut_connections(self) -> None:
        """Aborts every Socket Mode connection without a closing handshake."""
        await self._cut()

    async def refresh_connections(self) -> None:
        """Tells every connection to come again, as Slack does every few hours."""
        await self._refresh()

    async def down(self) -> None:
        self.is_down = True
        await self._cut()

    def up(self) -> None:
        self.is_down = False

    def clear(self) -> None:
        self._calls.clear()
        self._deliveries.clear()
        self._response_urls.clear()
        self.is_down = False

    def take(self, method: str) -> CallFault | None:
        """The fault of this call, if one was asked for; used up by being taken."""
        for planned in self._calls:
            if planned.times > 0 and fnmatchcase(method, planned.pattern):
                planned.times -= 1
                return planned.fault
        return None

    def take_delivery(self) -> DeliveryFault:
        return self._deliveries.pop(0) if self._deliveries else DeliveryFault()

    def take_response_url(self) -> int | None:
        return self._response_urls.pop(0) if self._response_urls else None
