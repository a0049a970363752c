"""The OpenAPI document of the agents' API, made from the tables that the door itself reads."""

from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from itertools import groupby

from pydantic import JsonValue

from bot.agents.events import EVENTS
from bot.agents.openapi_answers import ANSWERS
from bot.agents.problems import STATUS, Code
from pods.options import NAME, OPTIONS, Kind, Option

Schema = dict[str, JsonValue]

EVERYWHERE = (
    Code.UNAUTHENTICATED,
    Code.AGENT_UNCONFIRMED,
    Code.NOT_FOUND,
    Code.METHOD_NOT_ALLOWED,
    Code.DATABASE_UNAVAILABLE,
    Code.OUR_FAULT,
)
LOOKING = (*EVERYWHERE, Code.INVALID, Code.AMBIGUOUS)
SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")


@cache
def document() -> Schema:
    """OpenAPI 3.1. Every code of the contract that an operation can answer stands at that operation."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Podkeeper for agents",
            "version": "1",
            "description": "Signed with Standard Webhooks; a GET signs its request target as its body.",
        },
        "paths": {
            "/agents/{agent}/events": {
                "post": _operation("Tell or ask for something", "Accepted", 202, tuple(Code), _event())
            },
            "/agents/{agent}/requests/{id}": {
                "get": _operation("What has come of an event", "Request", 200, LOOKING, parameter="id")
            },
            "/agents/{agent}/provisions/{id}": {
                "get": _operation("How a provision stands", "Provision", 200, LOOKING, parameter="id")
            },
            "/agents/{agent}/audit": {
                "get": _operation("The fleet, or one pod", "Audit", 200, LOOKING, query="pod")
            },
        },
        "components": {"schemas": ANSWERS, "securitySchemes": _security()},
        "security": [{name: [] for name in SIGNED}],
    }


def _operation(
    summary: str,
    answer: str,
    status: int,
    codes: Iterable[Code],
    body: Schema | None = None,
    parameter: str | None = None,
    query: str | None = None,
) -> Schema:
    text: Schema = {"type": "string"}
    parameters: list[JsonValue] = [
        {"name": name, "in": "path", "required": True, "schema": {**text, "minLength": 1}}
        for name in ("agent", parameter)
        if name
    ]
    if query:
        parameters.append({"name": query, "in": "query", "schema": text})
    good: Schema = {"application/json": {"schema": {"$ref": f"#/components/schemas/{answer}"}}}
    responses: Schema = {str(status): {"description": HTTPStatus(status).phrase, "content": good}}
    operation: Schema = {
        "summary": summary,
        "parameters": parameters,
        "responses": responses | _problems(codes),
    }
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return operation


def _problems(codes: Iterable[Code]) -> Schema:
    by_status = groupby(sorted(set(codes), key=STATUS.__getitem__), key=STATUS.__getitem__)
    return {str(status): _problem(status, [str(code) for code in some]) for status, some in by_status}


def _problem(status: int, codes: list[str]) -> Schema:
    only: Schema = {"properties": {"status": {"const": status}, "code": {"enum": list(codes)}}}
    schema: Schema = {"allOf": [{"$ref": "#/components/schemas/Problem"}, only]}
    answer: Schema = {
        "description": ", ".join(codes),
        "content": {"application/problem+json": {"schema": schema}},
    }
    if Code.RATE_LIMITED in codes:
        answer["headers"] = {"Retry-After": {"schema": {"type": "string", "pattern": "^[0-9]+$"}}}
    return answer


def _event() -> Schema:
    return {"oneOf": [_event_of(kind) for kind in EVENTS]}


def _event_of(kind: str) -> Schema:
    data = EVENTS[kind].model_json_schema(by_alias=True)
    if kind == "pod.provision":
        properties = {option.key: _option(option) for option in OPTIONS}
        data = {**data, "properties": {**properties, **data["properties"]}, "required": [NAME]}
    return {
        "type": "object",
        "title": kind,
        "required": ["type", "timestamp", "data"],
        "properties": {
            "type": {"const": kind},
            "timestamp": {"type": "string", "format": "date-time"},
            "data": data,
        },
    }


def _option(option: Option) -> Schema:
    kinds: dict[Kind, list[JsonValue]] = {
        Kind.ONE: ["string", "integer", "null"],
        Kind.NUMBER: ["integer", "string", "null"],
        Kind.DURATION: ["string", "null"],
        Kind.FLAG: ["boolean", "string", "null"],
        Kind.LIST: ["array", "string", "null"],
        Kind.REPEATED: ["array", "string", "null"],
    }
    types = [*kinds[option.kind], "object"] if option.name == "env" else kinds[option.kind]
    described: Schema = {"type": types, "description": option.help}
    if option.kind in (Kind.LIST, Kind.REPEATED):
        described["items"] = {"type": "string"}
    return described


def _security() -> Schema:
    return {name: {"type": "apiKey", "in": "header", "name": name} for name in SIGNED}
