"""The second witness: RunPod's status texts, which carry an exit time, from its older GraphQL API.

REST v2 has no exit time. The older API is asked by the `runpod` package with a query of our own, in which
nothing is ever filled in. It cannot send `X-Team-Id`, its exceptions are many, and it ends in 2027: so
nothing may depend on this witness, and it falls silent by itself when it can say nothing any more.
"""

import asyncio
import logging
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

import aiohttp
import structlog

from gateways.runpod.answers import detail_of
from gateways.runpod.budget import Budget, Priority
from gateways.runpod.errors import RateLimited
from gateways.runpod.json_values import Json, child, text
from gateways.runpod.pod_json import is_pod_id
from gateways.runpod.wire import USER_AGENT, Login
from gateways.wall import Wall

QUERY = "query podStatusTexts { myself { pods { id lastStatusChange } } }"
_BLIND_ANSWERS = 2
"""So many answers in a row without any pod that we know of mean: not our team."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StatusTexts:
    """Pod id → `lastStatusChange` to the letter: free text, to be parsed strictly."""

    at: datetime
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Lost:
    """The witness has nothing to say, and why. It proves nothing about any pod."""

    sentence: str


@dataclass(slots=True)
class StatusTextWitness:
    """Asks for all texts at once. Once it is off, it stays off until the service starts again."""

    login: Login
    clock: Wall
    budget: Budget
    off: str | None = None
    """Why it no longer asks."""
    _blind: int = field(default=0, repr=False)

    async def texts(self, known: Collection[str]) -> StatusTexts | Lost:
        """What RunPod says of the account's pods. `known`: ids of pods in the last whole listing."""
        if self.off is not None:
            return Lost(self.off)
        try:
            await self.budget.take(Priority.REST)
        except RateLimited as error:
            return Lost(error.sentence)
        answer = await asyncio.to_thread(_asked, self.login)
        if isinstance(answer, Lost):
            return await self._not_answered(answer)
        texts = _read(answer)
        if texts is None or (known and texts.keys().isdisjoint(known)):
            return self._not_seen()
        self._blind = 0
        told = {pod_id: words for pod_id, words in texts.items() if words is not None}
        return StatusTexts(self.clock.now(), told)

    async def _not_answered(self, lost: Lost) -> Lost:
        if await _is_retired(self.login):
            return self._fall_silent(
                "RunPod has retired its older API: exit times are our own observation now"
            )
        return lost

    def _not_seen(self) -> Lost:
        self._blind += 1
        sentence = "RunPod's older API does not show the team's pods to this key"
        return Lost(sentence) if self._blind < _BLIND_ANSWERS else self._fall_silent(sentence)

    def _fall_silent(self, sentence: str) -> Lost:
        self.off = sentence
        _log.warning("status_text_witness_off", why=sentence)
        return Lost(sentence)


def _asked(login: Login) -> "Json | Lost":
    """One call by the package, in a worker thread. Whatever it raises, SystemExit too, is a sentence."""
    try:
        with _root_logger_untouched():
            from runpod.api.graphql import run_graphql_query
        os.environ["RUNPOD_API_BASE_URL"] = login.base_url.rstrip("/")
        answer: Json = run_graphql_query(QUERY, login.api_key)
    except BaseException as why:
        return Lost(f"RunPod's older API did not answer ({_words(why)})")
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), dict):
        return Lost("RunPod's older API gave an answer without data")
    return answer


@contextmanager
def _root_logger_untouched() -> Iterator[None]:
    """The package sets up the root logger when it is imported; that is the service's business alone."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _read(answer: Json) -> dict[str, str | None] | None:
    """Pod id → text or None; None if the key sees no account."""
    pods = child(child(child(answer, "data"), "myself"), "pods")
    if not isinstance(pods, list):
        return None
    ids = [(child(pod, "id"), text(child(pod, "lastStatusChange"))) for pod in pods]
    return {pod_id: words for pod_id, words in ids if isinstance(pod_id, str) and is_pod_id(pod_id)}


async def _is_retired(login: Login) -> bool:
    """Whether the address answers 410: the package does not tell."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session,
            session.post(
                f"{login.base_url.rstrip('/')}/graphql",
                json={"query": QUERY},
                headers={"Authorization": f"Bearer {login.api_key}", "User-Agent": USER_AGENT},
                allow_redirects=False,
            ) as response,
        ):
            return response.status == 410
    except (aiohttp.ClientError, TimeoutError, OSError):
        return False


def _words(why: BaseException) -> str:
    return detail_of({"detail": f"{type(why).__name__}: {why}"})
