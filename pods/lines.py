"""The lines of a provision, which other people's scripts read: one constructor for each, and a reader.

A line begins with its token; values are `key=value` without spaces. Unknown is `unknown`.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from pods.durations import format_duration

UNKNOWN = "unknown"
DETACHED = "(detached)"
_NOT_A_VALUE = re.compile(r"[^A-Za-z0-9._:/+@-]+")


def value(text: str | None) -> str:
    """The text as a value: every run of other characters than `A-Za-z0-9._:/+@-` becomes one `_`."""
    return _NOT_A_VALUE.sub("_", text) if text else UNKNOWN


def moment(at: datetime) -> str:
    """`2026-11-30T17:00:00Z`. Raises `ValueError` for a time without a zone."""
    if at.tzinfo is None:
        raise ValueError("a time without a zone cannot be told")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def money(usd: float | None) -> str:
    """Dollars with two digits; zero and less are what RunPod says when it does not know."""
    return f"{usd:.2f}" if usd is not None and usd > 0 else UNKNOWN


def provision(provision_id: str, name: str) -> str:
    return f"PROVISION: id={value(provision_id)} name={value(name)}"


def wait(*, ssh: timedelta, bootstrap: timedelta, preflight: timedelta) -> str:
    """How long each stage is waited for. A wait is never called a fence."""
    return (
        f"WAIT: ssh={format_duration(ssh)} bootstrap={format_duration(bootstrap)}"
        f" preflight={format_duration(preflight)}"
    )


def pod(*, name: str, pod_id: str, runpod_name: str, count: int, gpu: str, usd_per_hour: float | None) -> str:
    return (
        f"POD: name={value(name)} id={value(pod_id)} runpod_name={value(runpod_name)}"
        f" gpu={count}x{value(gpu)} usd_per_hour={money(usd_per_hour)}"
    )


def fence(terminates_at: datetime | None) -> str:
    """The fence in force, as read back from what enforces it."""
    if terminates_at is None:
        return "FENCE: terminates_at=none enforced_by=none"
    return f"FENCE: terminates_at={moment(terminates_at)} enforced_by=podkeeper"


def preflight(rc: int) -> str:
    return f"PREFLIGHT: {'FAIL' if rc else 'PASS'} rc={rc}"


def branch_ok(branch: str, head: str | None) -> str:
    return f"BRANCH: OK branch={value(branch)} head={value(head)}"


def branch_mismatch(requested: str, actual: str | None, head: str | None) -> str:
    return f"BRANCH: MISMATCH requested={value(requested)} actual={_actual(actual)} head={value(head)}"


def branch_not_requested(branch: str | None, head: str | None) -> str:
    return f"BRANCH: NOT-REQUESTED branch={_actual(branch)} head={value(head)}"


def _actual(branch: str | None) -> str:
    """`(detached)` is the one value with brackets; no branch of git's can be called that as a value."""
    return DETACHED if branch == DETACHED else value(branch)


def bootstrap_ok(name: str) -> str:
    return f"BOOTSTRAP-OK pod={value(name)}"


def bootstrap_failed(name: str, rc: int) -> str:
    return f"BOOTSTRAP-FAILED pod={value(name)} rc={rc}"


def clean_up(name: str, word: str) -> str:
    """What became of a pod that nobody reached: `TERMINATED`, `KEPT` or `NOT-TERMINATED`."""
    return f"BOOTSTRAP-FAILED-{word} pod={value(name)}"


def refused(provision_id: str, reason: str) -> str:
    return f"PROVISION-REFUSED: reason={value(reason)} provision={value(provision_id)}"


def ended(provision_id: str, reason: str) -> str:
    return f"PROVISION-ENDED: reason={value(reason)} provision={value(provision_id)}"


def ssh(host: str, port: int) -> str:
    return f"SSH: ssh root@{host} -p {port}"


@dataclass(frozen=True, slots=True)
class Line:
    """A line, read: `BRANCH: MISMATCH requested=a actual=b head=c`."""

    token: str
    word: str | None = None
    values: dict[str, str] = field(default_factory=dict)


_SSH = re.compile(r"SSH: ssh (?P<user>\S+)@(?P<host>\S+) -p (?P<port>[0-9]+)")
_LINE = re.compile(
    r"(?:(?P<titled>PROVISION|WAIT|POD|FENCE|PREFLIGHT|BRANCH|PROVISION-REFUSED|PROVISION-ENDED):"
    r"|(?P<bare>BOOTSTRAP-OK|BOOTSTRAP-FAILED(?:-TERMINATED|-KEPT|-NOT-TERMINATED)?))"
    r"(?: (?P<word>[A-Z-]+))?(?P<values>(?: [a-z_]+=\S+)+)"
)


def read(text: str) -> Line | None:
    """The line that stands here, or `None` if it is none of ours."""
    if match := _SSH.fullmatch(text):
        return Line("SSH", None, match.groupdict())
    if not (match := _LINE.fullmatch(text)):
        return None
    values = dict(pair.split("=", 1) for pair in match["values"].split())
    return Line(match["titled"] or match["bare"], match["word"], values)
