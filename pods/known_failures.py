"""Failures that we have met before, as they show in a log: what each means and what to do about it.

The patterns are POSIX extended regular expressions without regard to capitals, because the preflight on
the pod looks for the fatal ones with `grep -E` while we look for all of them here.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """One row. `fatal`: where this stands in the log of a bootstrap, the environment is not whole, even
    if the bootstrap itself ended well."""

    code: str
    pattern: str
    what: str
    remedy: str
    fatal: bool = False


STALE_FILE_HANDLE = KnownFailure(
    "stale_file_handle",
    r"stale file handle|os error 116|errno 116",
    "The network volume lost a file under the installer (errno 116), so the environment is incomplete.",
    "Order again with `--overlay-venv`, or on the pod: `UV_PROJECT_ENVIRONMENT=$HOME/.venvs/NAME uv sync"
    " --locked`, move the old `.venv` aside and link `.venv` to that folder. Afterwards a bare `uv run`"
    " resolves again and hangs: set `UV_NO_SYNC=1`, or use the environment's own `bin/python`. Deleting a"
    " full `.venv` on the volume takes about 12 minutes: slow, not stuck. A clean `uv` check proves"
    " nothing; import the packages. A stop wipes the container's disk and leaves the link dangling.",
    fatal=True,
)

KNOWN_FAILURES: tuple[KnownFailure, ...] = (
    STALE_FILE_HANDLE,
    KnownFailure(
        "quota",
        r"disk quota exceeded|os error 122|errno 122",
        "The volume's quota is used up (errno 122). `df` shows the whole cluster, not your share.",
        "See what is large with `du -sh * | sort -h` on the volume, delete it or order a larger volume,"
        " then retry the bootstrap.",
        fatal=True,
    ),
    KnownFailure(
        "no_space",
        r"no space left on device|os error 28|errno 28",
        "The disk is full.",
        "Order again with a larger `--disk`, or free space on the pod and retry the bootstrap.",
        fatal=True,
    ),
    KnownFailure(
        "driver_mismatch",
        r"driver/library version mismatch|CUDA driver version is insufficient"
        r"|nvidia-smi has failed because it couldn't communicate|unsupported (display )?driver",
        "The machine's NVIDIA driver does not fit the CUDA libraries.",
        "End this pod and order another, in another data centre if it happens again; nothing on the pod"
        " cures it.",
        fatal=True,
    ),
    KnownFailure(
        "no_gpu",
        r"no devices were found|no CUDA-capable device|No CUDA GPUs are available"
        r"|[0-9]+ GPUs? instead of [0-9]+",
        "The pod has no GPU, or fewer than were ordered.",
        "End this pod and order another; a pod that was started again after a stop can come back without"
        " its GPUs.",
    ),
    KnownFailure(
        "repository_authentication",
        r"authentication failed for|could not read username|permission denied \(publickey"
        r"|repository not found|host key verification failed|HTTP Basic: Access denied"
        r"|terminal prompts disabled",
        "The repository did not let the pod in, or does not exist.",
        "Check `--repo`. For private `https` repositories an admin sets `PODKEEPER_GIT_TOKEN_FILE`; then"
        " retry the bootstrap.",
    ),
    KnownFailure(
        "branch_missing",
        r"remote branch .* not found|couldn't find remote ref|branch .* does not exist at the remote"
        r"|pathspec '.*' did not match",
        "The branch that was asked for does not exist at the repository.",
        "Push the branch and retry the bootstrap, or order again with the right `--branch`.",
    ),
    KnownFailure(
        "dangling_venv",
        r"\.venv.* (leads nowhere|is a dangling link)|broken symlink.*\.venv"
        r"|\.venv/bin/python[0-9.]*: no such file",
        "The link `.venv` leads nowhere: a stop wiped the container's disk that it led to.",
        "Retry the bootstrap; it makes the environment again.",
    ),
    KnownFailure(
        "silent_hang",
        r"without a word",
        "A command said nothing until its time was over.",
        "If the folder answered `ls -ld` at once, the command itself hangs: a bare `uv run` resolves again"
        " (set `UV_NO_SYNC=1`, or use the environment's own `bin/python`). If `ls -ld` was slow too, the"
        " network volume is slow: wait, or order with `--overlay-venv`.",
    ),
)


def failures_in(log: str) -> tuple[KnownFailure, ...]:
    """The known failures that this log shows, in the order of the table."""
    return tuple(known for known in KNOWN_FAILURES if re.search(known.pattern, log, re.IGNORECASE))


def fatal_patterns() -> str:
    """What the preflight searches the bootstrap's log for: a line each, code, a tab, pattern."""
    return "\n".join(f"{known.code}\t{known.pattern}" for known in KNOWN_FAILURES if known.fatal)
