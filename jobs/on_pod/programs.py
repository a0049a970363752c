"""The programs that are sent to a pod, made of the shell files beside this module."""

import re
import shlex
from dataclasses import dataclass
from importlib.resources import files

from pods.known_failures import fatal_patterns
from pods.order import Order
from pods.provision.seen import Work

LOG_LIMIT = 128 * 1024
"""How many bytes of a log one poll brings at most."""


@dataclass(frozen=True, slots=True)
class Job:
    """One numbered run of a provision, as the pod is told of it."""

    provision: str
    run: int
    order: Order
    imports: tuple[str, ...] = ()
    """Modules that the preflight really imports."""


def default_script(work: Work) -> str:
    """The script that comes with the product."""
    return _text(work.value)


def start_program(job: Job, work: Work, script: str, token: str = "") -> str:
    """Starts this script as the job's run, once. `token`: for private `https` repositories.

    Raises `ValueError` if the script cannot be sent as text, or the token has a line break in it.
    """
    if "\0" in script:
        raise ValueError(f"the {work} script is no text: it contains a NUL byte")
    if not token.isprintable():
        raise ValueError("the repository token is not one printable line")
    return _program(
        "start",
        provision=job.provision,
        run=str(job.run),
        work=work.value,
        script=script,
        runner=_text("runner"),
        environment=environment_of(job),
        token=token if work is Work.BOOTSTRAP else "",
    )


def poll_program(job: Job, work: Work, *, offset: int = 0, limit: int = LOG_LIMIT) -> str:
    """Asks how the run stands, and for its log from `offset` bytes on."""
    return _program(
        "poll",
        provision=job.provision,
        run=str(job.run),
        work=work.value,
        offset=str(offset),
        limit=str(limit),
    )


def stop_program(job: Job, work: Work, *, grace: int = 5) -> str:
    """Stops the run if it is under way; after `grace` seconds without mercy."""
    return _program("stop", provision=job.provision, run=str(job.run), work=work.value, grace=str(grace))


def branch_program(job: Job, token: str = "") -> str:
    """Asks what is checked out."""
    return _program("branch", environment=environment_of(job), requested=job.order.branch or "", token=token)


def environment_of(job: Job) -> str:
    """The variables that a script on the pod is given, as shell text. `$HOME` is the pod's."""
    order = job.order
    given = {
        "PODKEEPER_REPO": order.repo or "",
        "PODKEEPER_BRANCH": order.branch or "",
        "PODKEEPER_TASK": order.task or "",
        "PODKEEPER_POD_NAME": order.name,
        "PODKEEPER_VOLUME": order.volume_path or "",
        "PODKEEPER_GPU": order.gpus[0] if order.gpus else "",
        "PODKEEPER_GPU_COUNT": str(order.count),
        "PODKEEPER_OVERLAY_VENV": "yes" if order.overlay_venv else "no",
        "PODKEEPER_PREFLIGHT_IMPORTS": ",".join(job.imports),
        "PODKEEPER_KNOWN_FAILURES": fatal_patterns(),
    }
    exports = [f"export {name}={shlex.quote(value)}" for name, value in given.items()]
    checkout = shlex.quote(f"work/{checkout_name(order.repo)}")
    return "\n".join(
        [
            *exports,
            'export PODKEEPER_DISK="$HOME"',
            f'export PODKEEPER_CHECKOUT="$PODKEEPER_DISK"/{checkout}',
            "",
        ]
    )


def checkout_name(repo: str | None) -> str:
    """The folder that a repository is checked out into: the last part of its address."""
    last = re.split(r"[/:]", (repo or "").rstrip("/").removesuffix(".git"))[-1]
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", last).lstrip(".-")
    return plain or "repository"


def _program(snippet: str, **given: str) -> str:
    assignments = [f"{name}={shlex.quote(value)}" for name, value in given.items()]
    return "\n".join([*assignments, _text(snippet), "main", ""])


def _text(name: str) -> str:
    return files("jobs.on_pod").joinpath(f"{name}.sh").read_text(encoding="utf-8")
