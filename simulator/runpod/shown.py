"""A pod as REST v2 shows it: the truth, seen through the pod's plan and the account's switches."""

from datetime import datetime, timedelta
from typing import NamedTuple

from simulator.runpod.account import Switches
from simulator.runpod.http import Json
from simulator.runpod.pod import Pod
from simulator.runpod.settled import settled
from simulator.runpod.timeline import Phase, reached
from simulator.runpod.wording import date

SSH_HOST = "127.0.0.1"
_ACTIONS = {
    Phase.PROVISIONING: ["stop", "terminate"],
    Phase.STARTING: ["stop", "terminate"],
    Phase.RUNNING: ["stop", "restart", "terminate"],
    Phase.EXITED: ["start", "terminate"],
    Phase.ERROR: ["start", "terminate"],
    Phase.TERMINATED: [],
}


class Live(NamedTuple):
    """What the provider's own lookup of a running container gave: the runtime, and the public SSH port."""

    runtime: Json | None
    ssh_port: int | None


def status(pod: Pod, now: datetime, switches: Switches) -> Phase:
    """The status that the API shows, which need not be the true phase."""
    phase = pod.phase(now)
    if pod.terminate_asked_at is not None and phase is not Phase.TERMINATED:
        if pod.plan.terminating_shows != "unchanged":
            return Phase(pod.plan.terminating_shows)
        return phase
    if phase in (Phase.PROVISIONING, Phase.STARTING):
        if pod.plan.stuck_in == "RUNNING" and reached(pod.run.pulled_at, now):
            return Phase.RUNNING
        if pod.plan.running_at_once or switches.running_at_once:
            return Phase.RUNNING
    return phase


def actions(shown: Phase) -> list[str]:
    """The transitions that are valid for a status."""
    return _ACTIONS[shown]


def live(pod: Pod, now: datetime, switches: Switches) -> Live:
    """What the API's lookup of the container gives. Uses up one of the pod's promised nulls."""
    started, run, plan = pod.run.started_at, pod.run, pod.plan
    if started is None or started > now:
        return Live(None, None)
    if not pod.container_up(now):
        stale_until = run.ended_at and run.ended_at + timedelta(seconds=plan.stale_runtime_s)
        stale = run.ran(now) and stale_until is not None and now < stale_until
        return Live(_runtime(pod, now, started), None) if stale else Live(None, None)
    port = run.ports.get(22) if reached(run.ports_at, now) else None
    nulls = switches.null_runtime_data_centers
    if pod.nulls_left > 0:
        pod.nulls_left -= 1
        return Live(None, None)
    since = now - started
    if (nulls and nulls & {"*", pod.data_center}) or plan.runtime == "null" or since < plan.null_lasts:
        return Live(None, None if plan.ssh_direct == "with_runtime" else port)
    if plan.runtime == "empty" or since < plan.empty_lasts:
        return Live({}, None if plan.ssh_direct == "with_runtime" else port)
    return Live(_runtime(pod, now, started), port)


def pod_v2(pod: Pod, now: datetime, switches: Switches) -> Json:
    """The pod as `Pod` of REST v2, with whatever its plan distorts. Do not change what is inside it.

    What stays the same between two looks is kept at the pod, for a fleet is looked at millions of times.
    """
    if pod.settled is not None and pod.settled.holds(pod, switches):
        return pod.settled.shown(now)
    told_null, readable = pod.nulls_left > 0, pod.plan.unreadable not in ("fields", "types")
    entry = _shown_now(pod, now, switches)
    pod.settled = settled(pod, now, switches, entry) if readable and not told_null else None
    return entry


def _shown_now(pod: Pod, now: datetime, switches: Switches) -> Json:
    shown, looked = status(pod, now, switches), live(pod, now, switches)
    port, kept, ran = looked.ssh_port, switches.exited_cost_kept, pod.run.ran(now)
    sight = (shown, port, kept, ran, pod.run.number, pod.locked, pod.cluster, pod.order, pod.plan)
    if pod.seen is None or pod.seen[0] != sight:
        pod.seen = (sight, _distorted(_entry(pod, shown, port, switches, ran=ran), pod))
    if pod.plan.unreadable in ("fields", "types"):
        return pod.seen[1]
    return {**pod.seen[1], "runtime": looked.runtime}


def _entry(pod: Pod, shown: Phase, port: int | None, switches: Switches, *, ran: bool) -> Json:
    order, plan = pod.order, pod.plan
    entry: Json = {
        "id": pod.id,
        "name": order.name,
        "status": shown.value,
        "actions": list(_ACTIONS[shown]),
        "image": order.image,
        "args": order.args,
        "disk": order.disk,
        "mounts": mounts(pod),
        "ports": list(order.ports),
        "env": dict(order.env),
        "registry": order.registry,
        "cloud": order.cloud,
        "dataCenterId": pod.data_center,
        "cudaVersion": "12.8" if order.gpu is not None else None,
        "ssh": {"proxy": _proxy(pod), "direct": _direct(port)},
        "template": None,
        "cost": _cost(pod, shown, switches),
        "locked": pod.locked,
        "runtime": None,
        "createdAt": date(pod.created_at, plan.dates),
        "startedAt": date(pod.run.started_at, plan.dates) if pod.run.started_at and ran else None,
        "globalNetworking": {"enabled": False},
    }
    if order.gpu is not None:
        entry["gpu"] = {"id": order.gpu, "count": order.count}
    if order.cpu is not None:
        entry["cpu"] = {"id": order.cpu, "vcpuCount": order.vcpus, "memory": 2 * order.vcpus}
    if pod.cluster is not None:
        entry["cluster"] = {"id": pod.cluster, "rank": 0}
    return entry


def mounts(pod: Pod) -> Json:
    """The pod's volumes as ordered."""
    if pod.order.persistent is not None:
        return {"persistent": {"size": pod.order.persistent.size, "path": pod.order.persistent.path}}
    if pod.order.network is not None:
        network = pod.order.network
        return {"network": [{"volumeId": network.volume_id, "path": network.path}]}
    return {}


def _runtime(pod: Pod, now: datetime, started: datetime) -> Json:
    shows_ports = reached(pod.run.ports_at, now)
    if pod.runtime_seen is None or pod.runtime_seen[:2] != (pod.run, shows_ports):
        pod.runtime_seen = (pod.run, shows_ports, _busy(pod, _mapped(pod) if shows_ports else []))
    return {"uptime": int((now - started).total_seconds()), **pod.runtime_seen[2]}


def _busy(pod: Pod, ports: list[Json]) -> Json:
    return {
        "gpus": [{"util": 0, "memoryUtil": 0} for _ in range(pod.order.count if pod.order.gpu else 0)],
        "cpu": {"util": 3},
        "memory": {"util": 2},
        "ports": ports,
    }


def _mapped(pod: Pod) -> list[Json]:
    return [
        {"private": private, "public": pod.run.ports.get(private), "type": "tcp", "ip": SSH_HOST}
        if kind == "tcp"
        else {"private": private, "public": private, "type": kind, "ip": "100.65.0.7"}
        for private, kind in pod.order.all_ports()
    ]


def _proxy(pod: Pod) -> Json:
    user = f"{pod.id}-{pod.machine[:8]}"
    return {"host": "ssh.runpod.io", "port": 22, "username": user, "command": f"ssh {user}@ssh.runpod.io"}


def _direct(port: int | None) -> Json | None:
    if port is None:
        return None
    command = f"ssh root@{SSH_HOST} -p {port}"
    return {"host": SSH_HOST, "port": port, "username": "root", "command": command}


def _cost(pod: Pod, shown: Phase, switches: Switches) -> float:
    if pod.plan.cost == "zero":
        return 0.0
    if shown in (Phase.EXITED, Phase.TERMINATED, Phase.ERROR):
        return pod.price if pod.plan.exited_cost_kept or switches.exited_cost_kept else 0.0
    return pod.price


def _distorted(entry: Json, pod: Pod) -> Json:
    if pod.plan.cost == "missing":
        del entry["cost"]
    if pod.plan.dates == "missing":
        del entry["createdAt"], entry["startedAt"]
    match pod.plan.unreadable:
        case "no":
            return entry
        case "fields":
            return {"id": pod.id}
        case "types":
            wrong: Json = {
                "status": 7,
                "createdAt": {},
                "cost": "free",
                "env": [],
                "runtime": "yes",
                "name": None,
            }
            return entry | wrong
        case "id":
            del entry["id"]
            return entry
