"""A pod as the old GraphQL API shows it."""

from datetime import datetime

from simulator.runpod.fleet import Fleet
from simulator.runpod.http import Json
from simulator.runpod.pod import Pod
from simulator.runpod.shown import live
from simulator.runpod.timeline import Phase
from simulator.runpod.wording import date, last_status_change


def pod_graphql(pod: Pod, now: datetime, fleet: Fleet) -> Json:
    """The fields of `Pod`. A pod whose end was asked for is written EXITED with a text "Terminated ..."."""
    order = pod.order
    gpu = fleet.catalogue.gpus.get(order.gpu or "")
    started = pod.run.started_at if pod.run.ran(now) else None
    return {
        "id": pod.id,
        "name": order.name,
        "desiredStatus": _desired(pod, now),
        "lastStatusChange": last_status_change(pod),
        "createdAt": date(pod.created_at, pod.plan.dates),
        "lastStartedAt": date(started, pod.plan.dates) if started is not None else None,
        "consumerUserId": fleet.account.user_id,
        "containerDiskInGb": order.disk,
        "costPerHr": pod.price if pod.plan.cost == "true" else 0,
        "adjustedCostPerHr": pod.price if pod.plan.cost == "true" else 0,
        "dockerArgs": order.args,
        "dockerId": None,
        "env": [f"{name}={value}" for name, value in order.env.items()],
        "gpuCount": order.count if order.gpu is not None else 0,
        "imageName": order.image,
        "locked": pod.locked,
        "machineId": pod.machine,
        "machine": {
            "gpuDisplayName": gpu.name if gpu is not None else None,
            "podHostId": f"{pod.id}-{pod.machine[:8]}",
            "dataCenterId": pod.data_center,
            "gpuTypeId": order.gpu,
        },
        "memoryInGb": 62,
        "podType": "RESERVED",
        "port": None,
        "ports": ",".join(order.ports) or None,
        "uptimeSeconds": 0,
        "vcpuCount": order.vcpus or 12,
        "volumeInGb": order.persistent.size if order.persistent is not None else 0,
        "volumeMountPath": order.mount_path() or "/workspace",
        "networkVolume": {"id": order.network.volume_id} if order.network is not None else None,
        "templateId": "",
        "runtime": _runtime(pod, now, fleet),
        "latestTelemetry": {"state": "running" if pod.container_up(now) else "exited", "time": None},
    }


def _desired(pod: Pod, now: datetime) -> str:
    if pod.terminate_asked_at is not None:
        return "TERMINATED" if pod.plan.terminating_shows == "TERMINATED" else "EXITED"
    return "EXITED" if pod.phase(now) in (Phase.EXITED, Phase.ERROR) else "RUNNING"


def _runtime(pod: Pod, now: datetime, fleet: Fleet) -> Json | None:
    runtime = live(pod, now, fleet.account.switches).runtime
    if not runtime:
        return runtime
    ports, gpus = runtime["ports"], runtime["gpus"]
    assert isinstance(ports, list)
    assert isinstance(gpus, list)
    return {
        "uptimeInSeconds": runtime["uptime"],
        "container": {"cpuPercent": 3, "memoryPercent": 2},
        "gpus": [{"id": f"GPU-{n}", "gpuUtilPercent": 0, "memoryUtilPercent": 0} for n in range(len(gpus))],
        "ports": [
            {
                "ip": port["ip"],
                "isIpPublic": port["type"] == "tcp",
                "privatePort": port["private"],
                "publicPort": port["public"],
                "type": port["type"],
            }
            for port in ports
        ],
    }
