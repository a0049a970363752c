"""`terminate` and `audit`: end a pod, look at the fleet."""

from collections.abc import Iterable
from urllib.parse import quote

from bot.client.provisions import await_request, send
from bot.client.service import Service, no_sense
from bot.client.telling import Telling
from bot.client.wire import Json
from pods.exit_codes import ExitCode

FINDINGS = frozenset({"ask", "reap", "cannot_tell"})
COLUMNS = ("verdict", "reason", "held", "phase", "name", "id", "owner", "usd_per_hour")


def terminate(service: Service, telling: Telling, pod: str, reason: str | None, request_id: str) -> ExitCode:
    """End a pod, by its id, its name or its name at RunPod; wait until that is proved. Raises Ending."""
    data: Json = {"pod_id": pod_id_of(service, pod)}
    if reason:
        data["reason"] = reason
    send(service, telling, "pod.terminate", data, request_id)
    return await_request(service, telling, request_id)


def pod_id_of(service: Service, pod: str) -> str:
    """The id of the one pod that is meant. One that the audit has no entry of (it was just made, or is long
    gone) is left to the service to know. Raises Ending(2) if there are several or none."""
    seen = service.look(f"audit?pod={quote(pod, safe='')}")
    match _pods(seen):
        case [{"id": str(pod_id)}]:
            return pod_id
        case []:
            return str(seen.get("pod") or pod)
        case _:
            raise no_sense()


def audit(service: Service, telling: Telling, pod: str | None) -> ExitCode:
    """Show the fleet, or one pod with all its evidence. Raises Ending."""
    seen = service.look("audit" if pod is None else f"audit?pod={quote(pod, safe='')}")
    if pod is not None and not _pods(seen):
        telling.say(f"The audit has no entry of {pod}: it was rented a moment ago, or is gone for long.")
        telling.end(seen)
    else:
        telling.end(seen, "\n".join(_described(seen, with_evidence=pod is not None)))
    if seen.get("complete") is not True:
        telling.say("The fleet could not be seen whole; nothing is concluded from what is missing.")
        return ExitCode.NOT_SEEN_WHOLE
    found = any(entry.get("verdict") in FINDINGS for entry in _pods(seen))
    return ExitCode.FINDINGS if found else ExitCode.OK


def _described(seen: Json, *, with_evidence: bool) -> Iterable[str]:
    pods = _pods(seen)
    rows = [COLUMNS, *(tuple(_cell(pod.get(column)) for column in COLUMNS) for pod in pods)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(COLUMNS))]
    for row, text in zip(rows, ["text", *(_cell(pod.get("text")) for pod in pods)], strict=True):
        yield "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=True)), text])
    if with_evidence:
        for pod in pods:
            yield from _indented({key: value for key, value in pod.items() if key not in (*COLUMNS, "text")})


def _indented(value: object, depth: int = 1) -> Iterable[str]:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        nested = isinstance(inner, dict | list) and bool(inner)
        yield f"{'  ' * depth}{key}:" + ("" if nested else f" {_cell(inner)}")
        yield from _indented(inner, depth + 1)


def _cell(value: object) -> str:
    match value:
        case None | [] | {}:
            return "-"
        case float():
            return f"{value:.2f}"
        case _:
            return str(value)


def _pods(seen: Json) -> list[Json]:
    """Raises Ending if that is no answer to a question about the fleet."""
    pods = seen.get("pods")
    if not isinstance(pods, list):
        raise no_sense()
    return [entry for entry in pods if isinstance(entry, dict)]
