"""Who sent this? Standard Webhooks, checked by its published library.

A POST signs its body, a GET its request target in the body's place. The tolerance of five minutes is the
library's and runs on the wall clock.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from standardwebhooks import Webhook, WebhookVerificationError

SIGNED_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")
PLAIN_ID = re.compile(r"[\x21-\x7e]{1,200}")
PLAIN_TIMESTAMP = re.compile(r"[0-9]{1,12}", re.ASCII)


class UnauthenticatedError(Exception):
    """The request is not provably from the agent that it names."""


def verified_id(secrets: Sequence[str], headers: Iterable[tuple[bytes, bytes]], content: bytes | str) -> str:
    """The webhook id of a request that is signed with one of the secrets.

    Raises UnauthenticatedError for whatever is missing, doubled, malformed, old, early or wrong.
    """
    given = _signed_headers(headers)
    if not PLAIN_ID.fullmatch(given["webhook-id"]) or not PLAIN_TIMESTAMP.fullmatch(
        given["webhook-timestamp"]
    ):
        raise UnauthenticatedError
    if not any(_fits(secret, given, content) for secret in secrets):
        raise UnauthenticatedError
    return given["webhook-id"]


def _signed_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    given: dict[str, str] = {}
    for raw_name, value in headers:
        name = raw_name.decode("latin-1").lower()
        if name not in SIGNED_HEADERS:
            continue
        if name in given:
            raise UnauthenticatedError
        given[name] = value.decode("latin-1")
    if len(given) != len(SIGNED_HEADERS):
        raise UnauthenticatedError
    return given


def _fits(secret: str, headers: dict[str, str], content: bytes | str) -> bool:
    try:
        _webhook(secret).verify(content, headers, json_parse=False)
    except (WebhookVerificationError, ValueError, TypeError):
        # The library lets the latter two escape from its own parsing of what is no signature at all.
        return False
    return True


@lru_cache(maxsize=1000)
def _webhook(secret: str) -> Webhook:
    return Webhook(secret)
