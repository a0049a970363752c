"""What agents may tell us: one table of event types with the shape of their data."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError

from bot.agents.problems import invalid

RFC_3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)
LONGEST_NOTE = 10_000


def _moment(value: object) -> object:
    if not isinstance(value, str) or not RFC_3339.fullmatch(value):
        raise ValueError("must be a time like 2026-11-30T17:00:00Z")
    try:
        return datetime.fromisoformat(value.upper())
    except ValueError as error:
        raise ValueError(f"is no time that exists: {error}") from error


Moment = Annotated[AwareDatetime, BeforeValidator(_moment)]
_POD = r"^[\x21-\x7e]{1,191}$"
_KEY = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$"
"""A NAME as well: whoever gives one is told the id, as of everything that nobody ever heard of."""
_USER = r"^[UW][A-Z0-9]{1,30}$"
_CHANNEL = r"^[CDG][A-Z0-9]{1,30}$"
_WANTED: Mapping[str, str] = {
    _POD: "Must be RunPod's id of a pod, without spaces.",
    _KEY: "Must be a provision's id, like k3x09a2b.",
    _USER: "Must be a Slack user id, like U0123456789.",
    _CHANNEL: "Must be a Slack channel id, like C0123456789.",
}
"""What would be right, by the pattern that was not met."""

PodId = Annotated[str, Field(pattern=_POD, description="RunPod's id of the pod")]
Key = Annotated[str, Field(pattern=_KEY, description="the provision's id")]
Words = Annotated[str, Field(min_length=1, max_length=500)]
UserId = Annotated[str, Field(pattern=_USER, description="a Slack user id")]
ChannelId = Annotated[str, Field(pattern=_CHANNEL, description="a Slack channel id")]


class Data(BaseModel):
    """Fields that are not known are let through here, to be named in the answer as ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")


class RunLaunched(Data):
    """A run was started on a pod: it becomes claimed for the agent's owner."""

    pod_id: PodId
    task: Words | None = None
    branch: Words | None = None


class RunNews(Data):
    """A run is alive, or has finished."""

    pod_id: PodId
    task: Words | None = None
    outcome: Words | None = None


class PodKeep(Data):
    """Protect a pod for a time."""

    pod_id: PodId
    for_: Annotated[str, Field(alias="for", max_length=40, description="a duration like 8h")]
    reason: Words | None = None


class PodUnkeep(Data):
    """Take this agent's protection away again."""

    pod_id: PodId
    reason: Words | None = None


class PodProvision(Data):
    """A wish for a pod. The options are those of the command, read by the one table that reads them all."""

    channel: ChannelId | None = None
    notify: UserId | None = None


class ProvisionAct(Data):
    """Something to be done with a provision."""

    provision: Key


class PodTerminate(Data):
    """End a pod."""

    pod_id: PodId
    reason: Words | None = None


class PodTerminated(Data):
    """A hint that a pod may be gone."""

    pod_id: PodId


class Note(Data):
    """Something for people to read."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE)]
    task: Words | None = None


EVENTS: Mapping[str, type[Data]] = {
    "run.launched": RunLaunched,
    "run.heartbeat": RunNews,
    "run.finished": RunNews,
    "pod.keep": PodKeep,
    "pod.unkeep": PodUnkeep,
    "pod.provision": PodProvision,
    "provision.cancel": ProvisionAct,
    "provision.retry": ProvisionAct,
    "pod.terminate": PodTerminate,
    "pod.terminated": PodTerminated,
    "note": Note,
}


class Envelope(Data):
    """What every event has."""

    type: str
    timestamp: Moment
    data: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a known type and the right shape. `ignored` are paths of fields that mean nothing here."""

    type: str
    data: Data
    ignored: tuple[str, ...]


def read_event(value: JsonValue) -> Event:
    """The event in a body. Raises ProblemError(invalid) that names the first field that is wrong."""
    if not isinstance(value, dict):
        raise invalid("", "The body must be a JSON object with type, timestamp and data.")
    try:
        envelope = Envelope.model_validate(value)
    except ValidationError as error:
        raise invalid(*_first(error)) from error
    shape = EVENTS.get(envelope.type)
    if shape is None:
        raise invalid("type", f"There is no event of this type; there are {', '.join(EVENTS)}.")
    try:
        data = shape.model_validate(envelope.data)
    except ValidationError as error:
        field, sentence = _first(error)
        raise invalid(f"data.{field}", sentence) from error
    ignored = (*_unknown(envelope), *(f"data.{name}" for name in _unknown(data)))
    return Event(envelope.type, data, ignored)


def _first(error: ValidationError) -> tuple[str, str]:
    problem = error.errors(include_url=False, include_input=False)[0]
    wanted = _WANTED.get(problem.get("ctx", {}).get("pattern", ""))
    sentence = wanted or problem["msg"].removeprefix("Value error, ")
    return ".".join(str(step) for step in problem["loc"]), sentence[:1].upper() + sentence[1:]


def _unknown(data: Data) -> Iterable[str]:
    return sorted(data.model_extra or {})
