"""From a wish to an order: every value is read, and everything that is wrong is said at once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from pods.durations import format_duration, parse_duration
from pods.names import parse_name
from pods.option_values import (
    looks_secret,
    read_branch,
    read_cloud,
    read_data_centers,
    read_env,
    read_flag,
    read_id,
    read_image,
    read_list,
    read_number,
    read_port,
    read_repo,
    read_task,
)
from pods.options import NAME, Complaint, about
from pods.order import Cloud, Order, OrderDefaults
from pods.wish import Wish

T = TypeVar("T")


@dataclass(slots=True)
class _Reading:
    """Reads values off a wish and collects what is wrong with them."""

    wish: Wish
    complaints: list[Complaint] = field(default_factory=list)

    def one(self, option: str, read: Callable[[str], T]) -> T | None:
        values = self.many(option, read)
        return values[0] if values else None

    def many(self, option: str, read: Callable[[str], T]) -> tuple[T, ...]:
        values = []
        for text in self.wish.values.get(option, ()):
            try:
                values.append(read(_not_empty(text)))
            except ValueError as error:
                self.complaints.append(about(option, str(error)))
        return tuple(values)

    def given(self, option: str) -> bool:
        return option in self.wish.values

    def complain(self, option: str, sentence: str) -> None:
        self.complaints.append(about(option, sentence))

    def either(self, first: str, second: str) -> None:
        if self.given(first) and self.given(second):
            self.complain(second, f"`--{first}` and `--{second}` exclude each other; give one of them")


def order_of(wish: Wish, defaults: OrderDefaults) -> Order | tuple[Complaint, ...]:
    """The order that was meant, or every complaint about it. Pure; asks no catalogue."""
    read = _Reading(wish, list(wish.complaints))
    read.either("image", "template")
    read.either("volume", "network-volume")
    template = read.one("template", read_id)
    order = Order(
        name=_name(read),
        gpus=_gpus(read, defaults),
        count=read.one("count", lambda text: read_number(text, 1, 8, "GPUs")) or 1,
        image=read.one("image", read_image) or (None if read.given("template") else defaults.image),
        template=template,
        repo=read.one("repo", read_repo) or (None if read.given("repo") else defaults.repo),
        branch=read.one("branch", read_branch),
        task=read.one("task", read_task),
        lifetime=read.one("for", lambda text: _within(parse_duration(text), defaults.longest_lifetime)),
        disk_gb=read.one("disk", lambda text: read_number(text, 1, 20_000, "GB"))
        or (None if read.given("template") else defaults.disk_gb),
        volume_gb=read.one("volume", lambda text: read_number(text, 10, 20_000, "GB")),
        network_volume=read.one("network-volume", read_id),
        data_centers=_flat(read.many("dc", read_data_centers)),
        cloud=read.one("cloud", read_cloud) or Cloud.SECURE,
        env=_env(read),
        ports=_flat(tuple((port,) for port in _ports(read))),
        wait_capacity=read.one(
            "wait-capacity", lambda text: _within(parse_duration(text), defaults.longest_lifetime)
        ),
        overlay_venv=_flag(read, "overlay-venv", defaults.overlay_venv),
        keep_on_bootstrap_failure=_flag(read, "keep-on-bootstrap-failure", False),
    )
    if order.branch and not order.repo and not read.given("repo"):
        read.complain("branch", f"the branch `{order.branch}` needs a repository to come from; add `--repo`")
    return tuple(read.complaints) if read.complaints else order


def cautions(order: Order) -> tuple[str, ...]:
    """What whoever ordered this should know, although it is allowed."""
    return tuple(
        f"`{name}` looks like a secret. Everybody on the RunPod account can read a pod's environment."
        for name, _ in order.env
        if looks_secret(name)
    )


def _name(read: _Reading) -> str:
    if not read.given(NAME) and not any(c.option == NAME for c in read.complaints):
        read.complain(NAME, "the pod needs a name")
    return read.one(NAME, parse_name) or ""


def _gpus(read: _Reading, defaults: OrderDefaults) -> tuple[str, ...]:
    if read.given("gpu"):
        return _flat(read.many("gpu", read_list))
    if defaults.gpu is None:
        if not any(c.option == "gpu" for c in read.complaints):
            read.complain("gpu", "say which GPU you want")
        return ()
    return read_list(defaults.gpu)


def _ports(read: _Reading) -> tuple[str, ...]:
    return tuple(port for texts in read.many("port", read_list) for port in _port(read, texts))


def _port(read: _Reading, texts: tuple[str, ...]) -> tuple[str, ...]:
    ports = []
    for text in texts:
        try:
            ports.append(read_port(text))
        except ValueError as error:
            read.complain("port", str(error))
    return tuple(port for port in ports if port != "22/tcp")


def _env(read: _Reading) -> tuple[tuple[str, str], ...]:
    pairs = read.many("env", read_env)
    names = [name for name, _ in pairs]
    for name in sorted({name for name in names if names.count(name) > 1}):
        read.complain("env", f"`{name}` is given twice")
    return pairs


def _flag(read: _Reading, option: str, default: bool) -> bool:
    given = read.one(option, read_flag)
    return default if given is None else given


def _flat(groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """All values in their order, each once."""
    return tuple(dict.fromkeys(value for group in groups for value in group))


def _within(duration: timedelta, longest: timedelta) -> timedelta:
    if duration > longest:
        raise ValueError(
            f"`{format_duration(duration)}` is too long; there can be {format_duration(longest)}"
        )
    return duration


def _not_empty(text: str) -> str:
    if not text.strip():
        raise ValueError("the value is empty; leave the option out, or say what you mean")
    return text.strip(" ")
