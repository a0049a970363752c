"""`provision`, `watch` and `cancel`: ask for a pod, tell what happens to it, call it off."""

from urllib.parse import quote

from bot.client.ending import Ending
from bot.client.service import Service, no_sense
from bot.client.telling import Telling
from bot.client.wire import Json
from pods.exit_codes import ExitCode
from pods.lines import provision as provision_line

POLL_S = 0.5


def provision(service: Service, telling: Telling, order: Json, request_id: str, *, stay: bool) -> ExitCode:
    """Ask for a pod and, if `stay`, tell what happens until it is decided. Raises Ending."""
    key = send(service, telling, "pod.provision", order, request_id).get("provision")
    if not isinstance(key, str):
        raise no_sense()
    if stay:
        return watch(service, telling, key)
    look = service.look(f"provisions/{quote(key, safe='')}")
    telling.line(provision_line(key, str(look.get("name"))))
    request = service.look(f"requests/{quote(request_id, safe='')}")
    asked = request.get("state") == "asked"
    if asked:
        telling.say(str(request.get("text")))
    telling.end(look)
    return ExitCode.ASKED if asked else ExitCode.OK


def watch(service: Service, telling: Telling, key: str) -> ExitCode:
    """Tell every line of a provision, those of the past first, until it is decided; whom it waits for
    meanwhile, and how it ended if it is not ready. Raises Ending."""
    try:
        return _watch(service, telling, key)
    except KeyboardInterrupt:
        telling.say(f"`podkeeper watch {key}` takes the telling up again.")
        raise


def _watch(service: Service, telling: Telling, key: str) -> ExitCode:
    told, said = 0, ""
    while True:
        look = service.look(f"provisions/{quote(key, safe='')}")
        lines = _lines_of(look)
        for line in lines[told:]:
            telling.line(line)
        told = len(lines)
        code, text = _exit_code_of(look), str(look.get("text") or "")
        if text != said and code is not ExitCode.OK:
            telling.say(text)
        said = text
        if code is not None:
            telling.end(look)
            return code
        if not look.get("stage"):
            raise no_sense()
        telling.under_way(look)
        service.sleep(POLL_S)


def cancel(service: Service, telling: Telling, key: str, request_id: str) -> ExitCode:
    """Call a provision off; wait until nothing of it is left, or its pod is its owner's to decide on."""
    send(service, telling, "provision.cancel", {"provision": key}, request_id)
    return await_request(service, telling, request_id)


def send(service: Service, telling: Telling, kind: str, data: Json, request_id: str) -> Json:
    """Send an event; where it may have been lost, say how it is safely sent again. Raises Ending."""
    try:
        return service.send(kind, data, request_id)
    except Ending as end:
        if end.code is ExitCode.UNREACHABLE:
            telling.say(f"Sending it again with --id {request_id} is safe: nothing is done twice.")
        raise


def await_request(service: Service, telling: Telling, request_id: str) -> ExitCode:
    """Wait until a request has come to its end, and say what came of it. Raises Ending."""
    while True:
        request = service.look(f"requests/{quote(request_id, safe='')}")
        if (code := _exit_code_of(request)) is not None:
            telling.say(str(request.get("text") or ""))
            telling.end(request)
            return code
        if not request.get("state"):
            raise no_sense()
        service.sleep(POLL_S)


def _exit_code_of(look: Json) -> ExitCode | None:
    code = look.get("exit_code")
    if code is None:
        return None
    if code not in list(ExitCode):
        raise no_sense()
    return ExitCode(int(str(code)))


def _lines_of(look: Json) -> list[str]:
    lines = look.get("lines")
    return (
        [str(entry.get("line")) for entry in lines if isinstance(entry, dict)]
        if isinstance(lines, list)
        else []
    )
