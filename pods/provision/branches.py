"""Whether the code on the pod is the code that was asked for."""

import re

from pods import lines
from pods.provision.value import Checkout

WRONG = 1
WAIT_OVER = 124
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


def is_right(requested: str | None, checkout: Checkout | None) -> bool:
    """Nothing was asked for; or that branch is checked out; or, detached, the commit that the asked-for
    name resolves to at the remote, or that is asked for by its whole id."""
    if requested is None:
        return True
    if checkout is None or checkout.head is None:
        return False
    if not checkout.detached:
        return checkout.branch == requested
    return checkout.head == (checkout.remote_commit or _commit_named_by_its_id(requested))


def _commit_named_by_its_id(requested: str) -> str | None:
    """A whole commit id names one commit whatever the remote calls it. A part of one names none for sure."""
    return requested if _COMMIT.fullmatch(requested) else None


def rc_of(requested: str | None, checkout: Checkout | None) -> int:
    return 0 if is_right(requested, checkout) else WRONG


def unread_rc(requested: str | None) -> int:
    """For a checkout that could not be read in time: no harm if nothing was asked for."""
    return 0 if requested is None else WAIT_OVER


def line_of(requested: str | None, checkout: Checkout | None) -> str:
    """The `BRANCH:` line."""
    seen = checkout or Checkout(None, None)
    actual = lines.DETACHED if seen.detached else seen.branch
    if requested is None:
        return lines.branch_not_requested(actual, seen.head)
    if is_right(requested, checkout):
        return lines.branch_ok(requested, seen.head)
    return lines.branch_mismatch(requested, actual, seen.head)
