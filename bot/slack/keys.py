"""The key of a delivery: the same for the same act, however often Slack delivers it.

Envelope ids and retry numbers do not tell: Slack sends one act in several envelopes, and the same envelope
again with retry number 0. A trigger id, an event id and a view's state are the act's own.
"""

import hashlib
import json

from bot.slack.heard import text_at
from storage.columns import JsonObject


def key_of(kind: str, body: JsonObject) -> str:
    """The inbox key of a payload."""
    own = text_at(body, "trigger_id") or text_at(body, "event_id")
    return f"{kind} {own}" if own else f"{kind} {_digest(body)}"


def _digest(body: JsonObject) -> str:
    written = json.dumps(body, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:32]
