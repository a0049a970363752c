"""The shapes of the API's answers, as JSON Schema."""

from pydantic import JsonValue

from pods.provision.stages import Stage

Schema = dict[str, JsonValue]


def _nullable(kind: str) -> Schema:
    return {"type": [kind, "null"]}


def _object(**properties: JsonValue) -> Schema:
    """An object that has all of these members, and may have more."""
    return {"type": "object", "required": list(properties), "properties": properties}


TEXT: Schema = {"type": "string"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
NUMBER: Schema = _nullable("number")
EXIT_CODE: Schema = {
    **_nullable("integer"),
    "description": "of the command line; null: not decided",
}

ACCEPTED: Schema = _object(
    id=TEXT,
    type=TEXT,
    duplicate={"type": "boolean"},
    ignored={"type": "array", "items": TEXT},
    location=TEXT,
)
REQUEST: Schema = _object(
    id=TEXT,
    type=TEXT,
    state={"enum": ["done", "working", "asked", "refused", "chasing"]},
    exit_code=EXIT_CODE,
    text=_nullable("string"),
    pod_id=_nullable("string"),
    provision=_nullable("string"),
    asked=_nullable("string"),
    at=MOMENT,
)
PROVISION: Schema = _object(
    id=TEXT,
    name=TEXT,
    owner=TEXT,
    stage={"enum": [str(stage) for stage in Stage]},
    lines={"type": "array", "items": _object(at=MOMENT, line=TEXT)},
    exit_code=EXIT_CODE,
    text={**_nullable("string"), "description": "whom it waits for, or how it ended"},
    pod_id=_nullable("string"),
    gpu=_nullable("string"),
    usd_per_hour=NUMBER,
    usd_so_far=NUMBER,
    ssh={"oneOf": [{"type": "null"}, _object(host=TEXT, port={"type": "integer"}, user=TEXT)]},
    terminates_at=_nullable("string"),
    updated_at=MOMENT,
)
POD: Schema = _object(
    id=TEXT,
    name=_nullable("string"),
    phase=_nullable("string"),
    grade={"enum": ["proved", "claimed", "unknown", "conflicting"]},
    owner=_nullable("string"),
    verdict={"enum": ["keep", "ask", "reap", "cannot_tell"]},
    reason=TEXT,
    held={"enum": [None, "disarmed", "paused", "limit", "notice"]},
    text=TEXT,
    changes_at=_nullable("string"),
    exited_at=_nullable("string"),
    exited_at_source={"enum": ["observed", "provider", "unknown", None]},
    created_at=_nullable("string"),
    kept_until=_nullable("string"),
    usd_per_hour=NUMBER,
    usd_so_far=NUMBER,
    evidence={"type": "object"},
)
AUDIT: Schema = _object(
    at=MOMENT,
    complete={"type": "boolean"},
    armed=_object(never_ran={"type": "boolean"}, stale={"type": "boolean"}),
    paused={"type": "boolean"},
    pods={"type": "array", "items": POD},
    totals={"type": "object"},
)
PROBLEM: Schema = {
    "type": "object",
    "required": ["status", "code", "title", "detail"],
    "properties": {
        "status": {"type": "integer"},
        "code": TEXT,
        "title": TEXT,
        "detail": TEXT,
        "field": {"type": "string", "description": "a dotted path from the body's root"},
        "matches": {"type": "array", "items": TEXT, "description": "what could have been meant"},
    },
}

ANSWERS: Schema = {
    "Accepted": ACCEPTED,
    "Request": REQUEST,
    "Provision": PROVISION,
    "Audit": AUDIT,
    "Problem": PROBLEM,
}
