"""Requests as the published document allows them: unknown keys and wrong types are told by path."""

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

_STRICT = ConfigDict(extra="forbid", strict=True)
_CudaVersion = Annotated[str, Field(pattern=r"^\d+\.\d+$")]
_Text = Annotated[str, Field(min_length=1)]
_VolumeSize = Annotated[int, Field(ge=10, le=4096)]
_SshKey = Annotated[str, Field(pattern=r"^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$")]


class InvalidError(Exception):
    """A body or query that the document does not allow; `errors` has one line for each fault."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("; ".join(errors))
        self.errors = errors


@with_config(_STRICT)
class Gpu(TypedDict):
    """`CreateGpuConfig`."""

    id: str
    count: NotRequired[Annotated[int, Field(ge=1)]]
    allowedCudaVersions: NotRequired[list[_CudaVersion]]
    minCudaVersion: NotRequired[_CudaVersion]


@with_config(_STRICT)
class Cpu(TypedDict):
    """`CreateCpuConfig`."""

    id: _Text
    vcpuCount: Annotated[int, Field(ge=2)]


@with_config(_STRICT)
class PersistentMount(TypedDict):
    """`PersistentMount`."""

    size: Annotated[int, Field(ge=10)]
    path: str


@with_config(_STRICT)
class VolumeMount(TypedDict):
    """`NetworkMount`."""

    volumeId: str
    path: str


@with_config(_STRICT)
class Mounts(TypedDict):
    """`Mounts`."""

    persistent: NotRequired[PersistentMount]
    network: NotRequired[Annotated[list[VolumeMount], Field(max_length=1)]]


@with_config(_STRICT)
class Container(TypedDict):
    """`ContainerConfig`."""

    args: NotRequired[str]
    disk: NotRequired[Annotated[int, Field(ge=1)]]
    env: NotRequired[dict[str, str]]
    image: NotRequired[str]
    ports: NotRequired[list[str]]
    registry: NotRequired[str | None]
    mounts: NotRequired[Mounts]
    globalNetworking: NotRequired[bool]


@with_config(_STRICT)
class CreatePod(Container):
    """`CreatePodRequest`."""

    name: _Text
    cloud: NotRequired[Literal["SECURE", "COMMUNITY"]]
    cpu: NotRequired[Cpu]
    gpu: NotRequired[Gpu]
    dataCenterIds: NotRequired[list[str]]
    startJupyter: NotRequired[bool]
    startSsh: NotRequired[bool]
    templateId: NotRequired[_Text]


@with_config(_STRICT)
class UpdatePod(Container):
    """`UpdatePodRequest`."""

    name: NotRequired[_Text]
    locked: NotRequired[bool]
    templateId: NotRequired[str]


@with_config(_STRICT)
class Action(TypedDict):
    """`PodActionRequest`."""

    action: Literal["start", "stop", "restart", "terminate"]


@with_config(_STRICT)
class SshKeys(TypedDict):
    """`UpdateSshKeysRequest`."""

    keys: list[_SshKey]


@with_config(_STRICT)
class CreateVolume(TypedDict):
    """`CreateNetworkVolumeRequest`."""

    name: _Text
    size: _VolumeSize
    dataCenter: _Text
    type: NotRequired[Literal["STANDARD", "HIGH_PERFORMANCE"]]


@with_config(_STRICT)
class UpdateVolume(TypedDict):
    """`UpdateNetworkVolumeRequest`."""

    name: NotRequired[_Text]
    size: NotRequired[_VolumeSize]


CREATE_POD = TypeAdapter(CreatePod)
UPDATE_POD = TypeAdapter(UpdatePod)
ACTION = TypeAdapter(Action)
SSH_KEYS = TypeAdapter(SshKeys)
CREATE_VOLUME = TypeAdapter(CreateVolume)
UPDATE_VOLUME = TypeAdapter(UpdateVolume)


_T = TypeVar("_T")


def checked(adapter: TypeAdapter[_T], body: object) -> _T:
    """The body, typed; `InvalidError` with one line per fault, in the words RunPod uses."""
    try:
        return adapter.validate_python(body)
    except ValidationError as why:
        raise InvalidError([_line(error) for error in why.errors()]) from why


def _line(error: Mapping[str, object]) -> str:
    place = error["loc"]
    assert isinstance(place, tuple)
    at, inside = _path(place), _path(place[:-1])
    context = error.get("ctx")
    detail = context if isinstance(context, dict) else {}
    match error["type"]:
        case "extra_forbidden":
            return f"{inside}: additional properties '{place[-1]}' not allowed"
        case "missing":
            return f"{inside}: missing property '{place[-1]}'"
        case "literal_error":
            return f"{at}: value must be one of {str(detail['expected']).replace(' or ', ', ')}"
        case "greater_than_equal":
            return f"{at}: minimum: got {error['input']}, want {detail['ge']}"
        case "less_than_equal":
            return f"{at}: maximum: got {error['input']}, want {detail['le']}"
        case "string_too_short":
            return f"{at}: minLength: got 0, want {detail['min_length']}"
        case "string_pattern_mismatch":
            return f"{at}: {error['input']!r} does not match pattern '{detail['pattern']}'"
        case kind if str(kind).endswith("_type"):
            return f"{at}: got {_json_type(error['input'])}, want {str(kind).removesuffix('_type')}"
        case _:
            return f"{at}: {error['msg']}"


def _path(place: tuple[object, ...]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)


def _json_type(value: object) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
