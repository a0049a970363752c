"""One Web API call as its handler sees it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.slack.jsontypes import Json, JsonObject, objects, parse, text_at, true_at

if TYPE_CHECKING:
    from simulator.slack.office import Office

JSON_FIELDS = frozenset({"blocks", "view", "attachments", "metadata", "files", "message", "unfurls"})
"""Form fields that carry JSON; every other one is text, whatever it looks like."""


class ApiError(Exception):
    """Slack's answer `{"ok": false, "error": code, …}`."""

    def __init__(self, code: str, **extra: Json) -> None:
        super().__init__(code)
        self.code = code
        self.extra: JsonObject = dict(extra)


@dataclass(frozen=True)
class Call:
    method: str
    args: JsonObject
    office: Office

    def text(self, key: str, default: str = "") -> str:
        value = self.args.get(key, default)
        return str(value) if isinstance(value, int | float) else text_at(self.args, key, default)

    def required(self, key: str) -> str:
        """A text argument, or Slack's answer for its absence."""
        value = self.text(key)
        if not value:
            raise ApiError(
                "invalid_arguments",
                response_metadata={"messages": [f"[ERROR] missing required field: {key}"]},
            )
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        return true_at(self.args, key, default)

    def json(self, key: str) -> Json:
        """An argument that is JSON, also as text in a form; None if absent. Raises `ValueError`."""
        value = self.args.get(key)
        return parse(value) if isinstance(value, str) and value else value or None

    def json_objects(self, key: str) -> list[JsonObject]:
        try:
            return objects(self.json(key))
        except ValueError:
            return []

    def need_scope(self, *any_of: str) -> None:
        """Raises Slack's `missing_scope` if the token has none of these."""
        granted = self.office.workspace.manifest.scopes
        if not set(any_of) & set(granted):
            raise ApiError("missing_scope", needed=",".join(any_of), provided=",".join(granted))

    def page(self, rows: Sequence[Json], key: str, default: int = 100) -> JsonObject:
        """One page of a listing, with Slack's cursor."""
        try:
            start = int(base64.b64decode(self.text("cursor") or "MA==").decode())
            size = int(self.text("limit") or default)
        except (ValueError, binascii.Error):
            raise ApiError("invalid_cursor") from None
        size = min(size, 1000) if size > 0 else default
        after = start + size
        cursor = base64.b64encode(str(after).encode()).decode() if after < len(rows) else ""
        return {key: list(rows[start:after]), "response_metadata": {"next_cursor": cursor}}


Handler = Callable[[Call], JsonObject]


def refuse_blocks(error: str, sentences: Sequence[str]) -> ApiError:
    """Slack's answer to blocks that it does not take."""
    return ApiError(
        error,
        errors=list(sentences),
        response_metadata={"messages": [f"[ERROR] {sentence}" for sentence in sentences]},
    )
