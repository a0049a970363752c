"""A request and an answer as plain values, so that the whole API works without a socket."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from http import HTTPStatus
from typing import Self

Json = dict[str, object]


@dataclass(frozen=True)
class Request:
    """One HTTP request. Header names are lower case; `body` is the JSON value, if it was `readable`."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None
    readable: bool = True

    @classmethod
    def by(cls, api_key: str, method: str, path: str, body: object = None, **query: str) -> Self:
        """A request as a well-behaved client with that key would send it."""
        headers = {"authorization": f"Bearer {api_key}", "user-agent": "in-process"}
        return cls(method, path, query, headers, body)


@dataclass(frozen=True)
class LogStream:
    """A stream of log lines that a server keeps open: of which pod and source, and what it begins with.

    It begins after a time, or else with the last `tail` lines.
    """

    pod_id: str
    source: str | None
    after: datetime | None
    tail: int


@dataclass(frozen=True, kw_only=True)
class Response:
    """One HTTP answer. `text` replaces the JSON body where the answer is not JSON.

    `delay_s` (real seconds) and `cut` (no answer, the connection ends) say how a server would deliver it.
    """

    status: int = 200
    body: object = None
    text: str | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: LogStream | None = None
    delay_s: float = 0
    cut: bool = False

    def with_headers(self, headers: Mapping[str, str]) -> "Response":
        """The same answer with more headers."""
        return replace(self, headers={**headers, **self.headers})


def problem(
    status: int, detail: str, *, errors: list[str] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """An error as RFC 9457 and RunPod's document have it."""
    body: Json = {"title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    if status == 422:
        body["title"] = "Unprocessable Entity"
    if errors:
        body["errors"] = errors
    return Response(status=status, body=body, content_type="application/problem+json", headers=headers or {})


@dataclass
class Visit:
    """One call while it is being answered. Handlers note what it asked for and of which pod."""

    request: Request
    now: datetime
    by: str
    number: int
    sees_pods: bool = True
    operation: str | None = None
    pod_id: str | None = None
