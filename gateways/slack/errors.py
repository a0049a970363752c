"""What can go wrong with a call to Slack: a closed set, and the table from Slack's codes to it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeAlias


class SlackError(Exception):
    """A call to Slack that did not do what was asked. `sentence` is for people, without any token."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class SlackUnreachable(SlackError):
    """The request never left: nothing was posted."""


class AnswerLost(SlackError):
    """The request was sent and its answer was lost, late or a server error: it may have been posted."""


class SlackRateLimited(SlackError):
    """Too many calls; nothing was posted."""

    def __init__(self, retry_after: timedelta) -> None:
        super().__init__(f"Slack asks us to wait {retry_after.total_seconds():.0f} s")
        self.retry_after = retry_after


class SlackAuth(SlackError):
    """The token is wrong, revoked, or lacks a scope: no call will succeed until a person mends it."""


class Undeliverable(SlackError):
    """This message cannot reach this place or person; another place may work. `reason` is Slack's code."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Slack cannot deliver this ({reason})")
        self.reason = reason


class SlackRejected(SlackError):
    """Slack does not take what we sent; the same will be rejected again. `reason` is Slack's code."""

    def __init__(self, reason: str, details: Sequence[str] = ()) -> None:
        super().__init__(f"Slack rejected this ({reason}){': ' if details else ''}{'; '.join(details)}")
        self.reason = reason
        self.details = tuple(details)


AnySlackError: TypeAlias = (
    SlackUnreachable | AnswerLost | SlackRateLimited | SlackAuth | Undeliverable | SlackRejected
)
"""All of them, for a `match` that ends in `assert_never`."""

_DEFAULT_RETRY_AFTER = timedelta(seconds=30)
_AUTH = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "token_expired",
        "missing_scope",
        "no_permission",
        "org_login_required",
        "ekm_access_denied",
        "not_allowed_token_type",
        "access_denied",
    }
)
_UNDELIVERABLE = frozenset(
    {
        "channel_not_found",
        "is_archived",
        "not_in_channel",
        "user_not_found",
        "users_not_found",
        "user_disabled",
        "user_not_visible",
        "user_not_in_channel",
        "messages_tab_disabled",
        "cannot_dm_bot",
        "cannot_dm_self",
        "restricted_action",
        "restricted_action_read_only_channel",
        "restricted_action_thread_locked",
        "restricted_action_thread_only_channel",
        "restricted_action_non_threadable_channel",
        "message_not_found",
        "cant_update_message",
        "edit_window_closed",
        "is_inactive",
        "invalid_user_combination",
        "not_enabled",
        "team_not_found",
        "team_access_not_granted",
        "expired_url",
        "used_url",
    }
)
_AT_SLACKS_END = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_RATE = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded"})


def error_of(
    code: str, *, status: int, retry_after: timedelta | None = None, details: Sequence[str] = ()
) -> SlackError:
    """The error that Slack's answer tells of. `code` is its `error`, empty if it had none."""
    if status == 429 or code in _RATE:
        return SlackRateLimited(retry_after or _DEFAULT_RETRY_AFTER)
    if code in _AUTH:
        return SlackAuth(f"Slack does not let the bot do this ({code}): check SLACK_BOT_TOKEN and its scopes")
    if code in _UNDELIVERABLE:
        return Undeliverable(code)
    if not code or code in _AT_SLACKS_END:
        return AnswerLost(f"Slack answered {status} {code or 'without a usable body'}")
    return SlackRejected(code, details)
