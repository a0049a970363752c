"""JSON as typed values, and readers that never raise on a wrong shape."""

from __future__ import annotations

import json
from typing import TypeAlias, cast

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"


def parse(text: str | bytes) -> Json:
    """Reads JSON; raises `ValueError` on anything else."""
    return cast(Json, json.loads(text))


def copy(value: JsonObject) -> JsonObject:
    """A deep copy, so that no caller can change what the workspace holds."""
    return cast(JsonObject, json.loads(json.dumps(value)))


def text_at(value: JsonObject, key: str, default: str = "") -> str:
    found = value.get(key)
    return found if isinstance(found, str) else default


def object_at(value: JsonObject, key: str) -> JsonObject:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_at(value: JsonObject, key: str) -> list[JsonObject]:
    return objects(value.get(key))


def texts_at(value: JsonObject, key: str) -> list[str]:
    found = value.get(key)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def true_at(value: JsonObject, key: str, default: bool = False) -> bool:
    """A flag; forms spell it `true`, `1` or `True`."""
    found = value.get(key, default)
    return found.strip().lower() in {"true", "1"} if isinstance(found, str) else bool(found)
