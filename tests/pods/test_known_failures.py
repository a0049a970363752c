import re
import subprocess

import pytest

from pods.known_failures import KNOWN_FAILURES, KnownFailure, failures_in

RECORDED = [
    (
        "error: Failed to install: flash_attn.whl\n  Caused by: Stale file handle (os error 116)",
        "stale_file_handle",
    ),
    ("OSError: [Errno 116] Stale file handle: '/x'", "stale_file_handle"),
    ("OSError: [Errno 122] Disk quota exceeded", "quota"),
    ("cp: error writing 'x': Disk quota exceeded", "quota"),
    ("OSError: [Errno 28] No space left on device", "no_space"),
    ("Failed to initialize NVML: Driver/library version mismatch", "driver_mismatch"),
    (
        "RuntimeError: The NVIDIA driver: CUDA driver version is insufficient for CUDA runtime version",
        "driver_mismatch",
    ),
    ("No devices were found", "no_gpu"),
    ("CHECK gpus FAIL 3 GPUs instead of 4", "no_gpu"),
    ("RuntimeError: No CUDA GPUs are available", "no_gpu"),
    ("fatal: Authentication failed for 'https://h/x.git/'", "repository_authentication"),
    (
        "fatal: could not read Username for 'https://h': terminal prompts disabled",
        "repository_authentication",
    ),
    ("git@h: Permission denied (publickey).", "repository_authentication"),
    ("remote: Repository not found.", "repository_authentication"),
    ("fatal: Remote branch issue-1689 not found in upstream origin", "branch_missing"),
    ("fatal: couldn't find remote ref issue-1689", "branch_missing"),
    ("error: pathspec 'issue-1689' did not match any file(s) known to git", "branch_missing"),
    ("CHECK environment FAIL .venv is a dangling link to /x", "dangling_venv"),
    ("bash: .venv/bin/python: No such file or directory", "dangling_venv"),
    ("CHECK import_torch FAIL ran until its time was over without a word; ls -ld took 0 s", "silent_hang"),
]


@pytest.mark.parametrize(("log", "code"), RECORDED)
def test_a_recorded_failure_is_recognised_and_no_other(log: str, code: str) -> None:
    assert [known.code for known in failures_in(log)] == [code]


def test_every_known_failure_has_a_recorded_example() -> None:
    assert {known.code for known in KNOWN_FAILURES} == {code for _, code in RECORDED}


@pytest.mark.parametrize("known", KNOWN_FAILURES, ids=lambda known: known.code)
def test_every_pattern_means_the_same_to_grep_on_the_pod(known: KnownFailure) -> None:
    log = "\n".join(text.replace("\n", " ") for text, _ in RECORDED)
    found = subprocess.run(
        ["grep", "-aiE", "-e", known.pattern], input=log.encode(), capture_output=True, check=False
    )
    ours = [line for line in log.splitlines() if re.search(known.pattern, line, re.IGNORECASE)]
    assert found.stdout.decode().splitlines() == ours


@pytest.mark.parametrize(
    "log", ["", "Resolved 120 packages", "warning: 1168 files", "installed 122 packages", "x" * 10_000]
)
def test_an_innocent_log_shows_nothing(log: str) -> None:
    assert failures_in(log) == ()


def test_the_remedy_for_the_network_volume_names_its_traps() -> None:
    remedy = next(known.remedy for known in KNOWN_FAILURES if known.code == "stale_file_handle")
    assert all(
        word in remedy
        for word in ("UV_PROJECT_ENVIRONMENT", "UV_NO_SYNC=1", "bin/python", "12 minutes", "stop")
    )
