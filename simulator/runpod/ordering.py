"""From a request's body to an order: templates, keys that are injected, rules between fields."""

from dataclasses import replace

from simulator.runpod.catalogue import Template
from simulator.runpod.fleet import Fleet
from simulator.runpod.order import NetworkMount, Order, Persistent
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.validation import CreatePod, InvalidError, Mounts, UpdatePod


class RuleError(Exception):
    """A body that fits the document but breaks a rule between its fields (400)."""


def order_from(body: CreatePod, fleet: Fleet) -> Order:
    """The order of a create call; `InvalidError`, `RuleError` or `RefusedError` if it is none."""
    _check_rules(body)
    template = _template(body["templateId"], fleet) if "templateId" in body else None
    if template is None and "image" not in body:
        raise InvalidError(["$: missing property 'image'"])
    base = _from_template(template) if template is not None else Order(name="", image="")
    gpu, cpu = body.get("gpu"), body.get("cpu")
    order = replace(
        base,
        name=body["name"],
        image=body.get("image", base.image),
        args=body.get("args", base.args),
        disk=body.get("disk", base.disk),
        ports=tuple(body.get("ports", base.ports)),
        env={**base.env, **body.get("env", {})},
        registry=body.get("registry"),
        gpu=gpu["id"] if gpu is not None else None,
        count=gpu.get("count", 1) if gpu is not None else 1,
        cpu=cpu["id"] if cpu is not None else None,
        vcpus=cpu["vcpuCount"] if cpu is not None else 0,
        cloud=body.get("cloud", "SECURE"),
        data_centers=tuple(body.get("dataCenterIds", ())),
        start_ssh=body.get("startSsh", base.start_ssh),
        start_jupyter=body.get("startJupyter", base.start_jupyter),
        global_networking=body.get("globalNetworking", False),
    )
    return _with_injected(_with_mounts(order, body.get("mounts", Mounts())), fleet)


def changed_order(order: Order, change: UpdatePod, fleet: Fleet) -> Order:
    """The order after a PATCH: only what the body names changes; `RuleError` for a wrong mount."""
    if "templateId" in change:
        template = _from_template(_template(change["templateId"], fleet))
        order = replace(
            order,
            image=template.image,
            args=template.args,
            disk=template.disk,
            ports=template.ports,
            env=template.env,
        )
    order = replace(
        order,
        name=change.get("name", order.name),
        image=change.get("image", order.image),
        args=change.get("args", order.args),
        disk=change.get("disk", order.disk),
        ports=tuple(change.get("ports", order.ports)),
        env=dict(change.get("env", order.env)),
        registry=change.get("registry", order.registry),
        global_networking=change.get("globalNetworking", order.global_networking),
    )
    return _with_changed_mounts(order, change.get("mounts", Mounts()))


def _check_rules(body: CreatePod) -> None:
    if ("gpu" in body) == ("cpu" in body):
        raise RuleError("exactly one of gpu or cpu must be set")
    gpu = body.get("gpu")
    if gpu is not None and gpu.get("allowedCudaVersions") and "minCudaVersion" in gpu:
        raise RuleError("allowedCudaVersions and minCudaVersion are mutually exclusive")
    mounts = body.get("mounts", {})
    if "persistent" in mounts and "network" in mounts:
        raise RuleError("at most one of mounts.persistent and mounts.network may be set")
    if "persistent" in mounts and "cpu" in body:
        raise RuleError("mounts.persistent is not supported on CPU pods")


def _template(template_id: str, fleet: Fleet) -> Template:
    template = fleet.catalogue.templates.get(template_id)
    if template is None:
        raise RefusedError(Why.NOT_FOUND, "template not found")
    if template.serverless:
        raise InvalidError(["$.templateId: must not be a serverless template"])
    return template


def _from_template(template: Template) -> Order:
    return Order(
        name="",
        image=template.image,
        args=template.args,
        disk=template.disk,
        ports=template.ports,
        env=dict(template.env),
        start_ssh=template.start_ssh,
        start_jupyter=template.start_jupyter,
    )


def _with_mounts(order: Order, mounts: Mounts) -> Order:
    if "persistent" in mounts:
        persistent = mounts["persistent"]
        return replace(order, persistent=Persistent(size=persistent["size"], path=persistent["path"]))
    if mounts.get("network"):
        network = mounts["network"][0]
        return replace(order, network=NetworkMount(volume_id=network["volumeId"], path=network["path"]))
    return order


def _with_injected(order: Order, fleet: Fleet) -> Order:
    env = dict(order.env)
    if order.start_ssh and "PUBLIC_KEY" not in env and fleet.account.ssh_keys:
        env["PUBLIC_KEY"] = "\n".join(fleet.account.ssh_keys)
    if order.start_jupyter and "JUPYTER_PASSWORD" not in env:
        env["JUPYTER_PASSWORD"] = f"{fleet.random.getrandbits(64):016x}"
    return replace(order, env=env)


def _with_changed_mounts(order: Order, mounts: Mounts) -> Order:
    if "persistent" in mounts:
        if order.persistent is None:
            raise RuleError("a pod's kind of mount is fixed when it is created")
        return _with_mounts(order, mounts)
    if "network" in mounts:
        if not mounts["network"]:
            raise RuleError("mounts cannot be cleared")
        if order.network is None:
            raise RuleError("a pod's kind of mount is fixed when it is created")
        if mounts["network"][0]["volumeId"] != order.network.volume_id:
            raise RuleError("the volume of a network mount cannot be changed")
        return _with_mounts(order, mounts)
    return order
