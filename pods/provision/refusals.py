"""What a refused create means, told by its status and its words.

REST v2 answers 400 to a broken rule and to a lack of machines alike, and money comes as 402 or 400, so
the words decide. Source: RunPod REST v2 error table, and answers recorded from its three APIs.
"""

import re
from enum import StrEnum


class Refusal(StrEnum):
    NO_CAPACITY = "no_capacity"
    """No machine is free now; another type, place or time may do."""
    BALANCE = "balance"
    SPENDING_LIMIT = "spending_limit"
    NOT_NOW = "not_now"
    """Nothing was made, and the same call may be sent again later (429, a wall in front of the API)."""
    UNKNOWN = "unknown"
    """A pod may have been made all the same."""
    OVER_LIMIT = "over_limit"
    """Not sent: by now it would break a ceiling of ours."""
    PROVIDER = "provider"
    """Refused for good, for a reason that only a changed order or setting cures."""


_NO_CAPACITY = re.compile(
    r"no longer any instances available"
    r"|no instances (are )?(currently )?available"
    r"|could not find any pods with required specifications"
    r"|does not have the resources to deploy your pod"
    r"|not enough free gpus"
    r"|insufficient resources"
    r"|supply_constraint"
    r"|insufficient capacity|no capacity|out of stock",
    re.IGNORECASE,
)
_SPENDING_LIMIT = re.compile(r"spending limit|spend limit", re.IGNORECASE)
_BALANCE = re.compile(
    r"insufficient[ _]balance|insufficient funds|you need at least \$|deficit: \$"
    r"|not enough (balance|credit)",
    re.IGNORECASE,
)
_WALL = re.compile(r"error code: 10\d\d|<html", re.IGNORECASE)


def refusal_of(status: int, text: str) -> Refusal:
    """What an answer to a create with this HTTP status and these words means.

    A 5xx is `UNKNOWN` whatever it says: RunPod has answered 500 both to a lack of machines and after
    it had made the pod.
    """
    if status >= 500 or status == 408:
        return Refusal.UNKNOWN
    if status == 429 or (status == 403 and _WALL.search(text)):
        return Refusal.NOT_NOW
    if 200 <= status < 300:
        return Refusal.UNKNOWN
    if _SPENDING_LIMIT.search(text):
        return Refusal.SPENDING_LIMIT
    if status == 402 or _BALANCE.search(text):
        return Refusal.BALANCE
    if _NO_CAPACITY.search(text):
        return Refusal.NO_CAPACITY
    return Refusal.PROVIDER
