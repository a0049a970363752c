"""What can be wrong with a request: one table of codes, answered as RFC 9457 problem documents."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import JsonValue
from starlette.responses import JSONResponse


class Code(StrEnum):
    """What a program may decide by; the sentence beside it is for people."""

    BAD_JSON = "bad_json"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    AGENT_UNCONFIRMED = "agent_unconfirmed"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NAME_IN_USE = "name_in_use"
    AMBIGUOUS = "ambiguous"
    TOO_LARGE = "too_large"
    INVALID = "invalid"
    PAUSED = "paused"
    RATE_LIMITED = "rate_limited"
    OVER_LIMIT = "over_limit"
    PROVIDER_UNREACHABLE = "provider_unreachable"
    DATABASE_UNAVAILABLE = "database_unavailable"
    OUR_FAULT = "our_fault"
    """Something that nobody foresaw: a row that cannot be read, a mistake of ours."""


STATUS: Mapping[Code, int] = {
    Code.BAD_JSON: 400,
    Code.UNAUTHENTICATED: 401,
    Code.FORBIDDEN: 403,
    Code.AGENT_UNCONFIRMED: 403,
    Code.NOT_FOUND: 404,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.NAME_IN_USE: 409,
    Code.AMBIGUOUS: 409,
    Code.TOO_LARGE: 413,
    Code.INVALID: 422,
    Code.PAUSED: 423,
    Code.RATE_LIMITED: 429,
    Code.OVER_LIMIT: 429,
    Code.PROVIDER_UNREACHABLE: 503,
    Code.DATABASE_UNAVAILABLE: 503,
    Code.OUR_FAULT: 503,
}


class ProblemError(Exception):
    """A request that is answered with a problem document; nothing of it was done.

    `field`: what is wrong, as a dotted path from the body's root. `matches`: what could have been meant.
    """

    def __init__(
        self,
        code: Code,
        detail: str,
        *,
        field: str | None = None,
        matches: Sequence[str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.field = field
        self.matches = matches
        self.headers = headers

    def response(self) -> JSONResponse:
        body: dict[str, JsonValue] = {
            "status": STATUS[self.code],
            "code": self.code,
            "title": TITLE[self.code],
            "detail": self.detail,
        }
        if self.field is not None:
            body["field"] = self.field
        if self.matches is not None:
            body["matches"] = list(self.matches)
        return JSONResponse(body, STATUS[self.code], self.headers, "application/problem+json")


TITLE: Mapping[Code, str] = {
    Code.BAD_JSON: "This is not JSON that can be read",
    Code.UNAUTHENTICATED: "Not authenticated",
    Code.FORBIDDEN: "Not allowed",
    Code.AGENT_UNCONFIRMED: "The agent's owner has not confirmed it yet",
    Code.NOT_FOUND: "Nothing of that name is known",
    Code.METHOD_NOT_ALLOWED: "That cannot be done here",
    Code.NAME_IN_USE: "The name is in use",
    Code.AMBIGUOUS: "It could mean several",
    Code.TOO_LARGE: "Too large",
    Code.INVALID: "Something in it is wrong",
    Code.PAUSED: "Podkeeper is paused",
    Code.RATE_LIMITED: "Too many events",
    Code.OVER_LIMIT: "Over a limit",
    Code.PROVIDER_UNREACHABLE: "RunPod cannot be reached",
    Code.DATABASE_UNAVAILABLE: "The database cannot be reached",
    Code.OUR_FAULT: "Something went wrong here",
}


def unauthenticated() -> ProblemError:
    """The one answer to whoever cannot prove to be the agent, whatever the reason."""
    return ProblemError(
        Code.UNAUTHENTICATED,
        "Sign with this agent's present secret and a clock that is right, as standardwebhooks.com says.",
    )


def invalid(field: str, detail: str) -> ProblemError:
    """`field` is a dotted path from the body's root."""
    return ProblemError(Code.INVALID, detail, field=field)
