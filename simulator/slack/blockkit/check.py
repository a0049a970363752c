"""Holds JSON against a rule and says, in Slack's words, what does not fit.

The sentences are those of Slack's own validator as they appear in public reports.
"""

from __future__ import annotations

from typing import assert_never

from simulator.slack.blockkit.rules import (
    ByType,
    Fields,
    Flag,
    Free,
    Items,
    OneOf,
    Problem,
    Rule,
    Str,
    Text,
    Whole,
)
from simulator.slack.jsontypes import Json


def check(value: Json, rule: Rule, at: str) -> list[Problem]:
    """All problems of one value; none if it fits."""
    match rule:
        case Str():
            return _string(value, rule, at)
        case Text():
            return _text(value, rule, at)
        case Flag():
            return [] if isinstance(value, bool) else [Problem("must provide a boolean", at)]
        case Whole():
            return _whole(value, rule, at)
        case OneOf():
            return [] if value in rule.values else [Problem("must be a valid enum value", at)]
        case Items():
            return _items(value, rule, at)
        case Fields():
            return _fields(value, rule, at)
        case ByType():
            return _by_type(value, rule, at)
        case Free():
            return [] if isinstance(value, dict) else [Problem("must provide an object", at)]
        case _:
            assert_never(rule)


def _string(value: Json, rule: Str, at: str) -> list[Problem]:
    if not isinstance(value, str):
        return [Problem("must provide a string", at)]
    if rule.max is not None and len(value) > rule.max:
        return [Problem(f"must be less than {rule.max + 1} characters", at)]
    if len(value) < rule.min:
        return [Problem(f"must be more than {rule.min - 1} characters", at)]
    return []


def _text(value: Json, rule: Text, at: str) -> list[Problem]:
    if not isinstance(value, dict):
        return [Problem("must provide an object", at)]
    kinds = ("plain_text",) if rule.plain_only else ("plain_text", "mrkdwn")
    if value.get("type") not in kinds:
        return [Problem("must be a valid enum value", f"{at}/type")]
    flag = "emoji" if value["type"] == "plain_text" else "verbatim"
    inner = check(
        value, Fields({"type": Str(), "text": Str(rule.max, rule.min), flag: Flag()}, ("text",)), at
    )
    if inner and not rule.plain_only:
        return [Problem("failed to match all allowed schemas", at), *inner]
    return inner


def _whole(value: Json, rule: Whole, at: str) -> list[Problem]:
    if isinstance(value, bool) or not isinstance(value, int):
        return [Problem("must provide an integer", at)]
    if rule.max is not None and value > rule.max:
        return [Problem(f"must be less than or equal to {rule.max}", at)]
    if rule.min is not None and value < rule.min:
        return [Problem(f"must be greater than or equal to {rule.min}", at)]
    return []


def _items(value: Json, rule: Items, at: str) -> list[Problem]:
    if not isinstance(value, list):
        return [Problem("must provide an array", at)]
    if rule.max is not None and len(value) > rule.max:
        return [Problem(f"no more than {rule.max} items allowed", at)]
    if len(value) < rule.min:
        return [Problem(f"must provide at least {rule.min} items", at)]
    return [problem for n, item in enumerate(value) for problem in check(item, rule.item, f"{at}/{n}")]


def _fields(value: Json, rule: Fields, at: str) -> list[Problem]:
    if not isinstance(value, dict):
        return [Problem("must provide an object", at)]
    problems = [Problem(f"missing required field: {key}", at) for key in rule.required if key not in value]
    for key, item in value.items():
        if key in rule.fields:
            problems += check(item, rule.fields[key], f"{at}/{key}")
        else:
            problems.append(Problem(f"invalid additional property: {key}", at))
    return problems


def _by_type(value: Json, rule: ByType, at: str) -> list[Problem]:
    if not isinstance(value, dict):
        return [Problem("must provide an object", at)]
    kind = value.get("type")
    if kind is None:
        return [Problem("missing required field: type", at)]
    if not isinstance(kind, str) or kind not in rule.kinds:
        return [Problem(f"unsupported type: {kind}", f"{at}/type")]
    return check(value, rule.kinds[kind], at)
