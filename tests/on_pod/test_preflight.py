"""The preflight that comes with the product."""

import os
from pathlib import Path

import pytest

from jobs.on_pod.programs import Job, default_script, environment_of
from pods.known_failures import KNOWN_FAILURES, fatal_patterns
from pods.provision.checks import Check, checks_in, first_failed
from pods.provision.seen import Work
from tests.on_pod.home import Home

SCRIPT = default_script(Work.PREFLIGHT)
TWO_GPUS = "echo 'GPU 0: NVIDIA H100 (UUID: a)'; echo 'GPU 1: NVIDIA H100 (UUID: b)'"


@pytest.fixture
def pod(home: Home) -> Home:
    """A pod with two GPUs, as ordered."""
    return with_gpus(home, TWO_GPUS)


def with_gpus(home: Home, answer: str) -> Home:
    tools = home.path / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "nvidia-smi").write_text(f"#!/bin/sh\n{answer}\n")
    (tools / "nvidia-smi").chmod(0o755)
    home.search_path = f"{tools}:{os.environ['PATH']}"
    return home


def preflight(home: Home, **given: str) -> tuple[int | None, dict[str, Check]]:
    """Runs the preflight with these variables on top: its exit status and its checks."""
    exports = "".join(f"export {name}='{value}'\n" for name, value in given.items())
    rc, log = home.carried_out(f"{exports}{SCRIPT}", Work.PREFLIGHT)
    return rc, {check.name: check for check in checks_in(log)}


def test_a_pod_as_ordered_passes_every_check(pod: Home) -> None:
    rc, checks = preflight(pod, PODKEEPER_PREFLIGHT_IMPORTS="json,email.mime")
    assert rc == 0, checks
    assert list(checks) == [
        "gpus",
        "disk",
        "bootstrap_log",
        "environment",
        "import_json",
        "import_email.mime",
    ]
    assert all(check.passed for check in checks.values())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("echo 'GPU 0: NVIDIA H100 (UUID: a)'", "1 GPUs instead of 2"),
        ("echo 'No devices were found'", "0 GPUs instead of 2"),
        (
            "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18",
            "nvidia-smi ended with 18: Failed to initialize NVML: Driver/library version mismatch",
        ),
        ("sleep 30", "nvidia-smi ran for 1 s without a word"),
    ],
)
def test_gpus_other_than_ordered_fail_the_preflight(home: Home, answer: str, said: str) -> None:
    rc, checks = preflight(with_gpus(home, answer), PODKEEPER_CHECK_WAIT="1")
    assert rc == 1
    assert checks["gpus"] == Check("gpus", False, said)


def test_a_volume_is_written_to_and_read_back_too(pod: Home) -> None:
    volume = pod.path / "volume"
    volume.mkdir()
    rc, checks = preflight(pod, PODKEEPER_VOLUME=str(volume))
    assert rc == 0
    assert checks["volume"].passed
    assert list(volume.iterdir()) == []


def test_a_volume_that_is_not_there_fails_the_preflight(pod: Home) -> None:
    rc, checks = preflight(pod, PODKEEPER_VOLUME=str(pod.path / "nowhere"))
    assert rc == 1
    assert "is not there" in checks["volume"].text


def test_a_disk_that_cannot_be_written_fails_the_preflight(pod: Home) -> None:
    rc, checks = preflight(pod, PODKEEPER_DISK="/proc/self")
    assert rc == 1
    assert "could not be written and read back" in checks["disk"].text


def test_a_known_failure_in_the_bootstraps_log_fails_the_preflight(pod: Home) -> None:
    pod.carried_out("echo 'error: failed to copy: Stale file handle (os error 116)'; exit 0")
    rc, checks = preflight(pod)
    assert rc == 1
    assert checks["bootstrap_log"].text.startswith("stale_file_handle: error: failed to copy")


def test_a_log_without_known_failures_passes(pod: Home) -> None:
    pod.carried_out("echo all is well")
    rc, checks = preflight(pod)
    assert rc == 0
    assert checks["bootstrap_log"].passed


def test_a_package_that_cannot_be_imported_fails_the_preflight(pod: Home) -> None:
    rc, checks = preflight(pod, PODKEEPER_PREFLIGHT_IMPORTS="json,no_such_package")
    assert rc == 1
    assert checks["import_json"].passed
    assert "No module named 'no_such_package'" in checks["import_no_such_package"].text


def test_an_import_that_hangs_is_told_with_how_fast_the_disk_answers(pod: Home) -> None:
    slow = pod.path / "work" / "repository"
    slow.mkdir(parents=True)
    (slow / "slow.py").write_text("import time; time.sleep(30)")
    rc, checks = preflight(
        pod, PODKEEPER_PREFLIGHT_IMPORTS="slow", PODKEEPER_IMPORT_WAIT="1", PYTHONPATH=str(slow)
    )
    assert rc == 1
    assert "without a word; ls -ld took 0 s" in checks["import_slow"].text


def test_packages_are_imported_with_the_environments_own_python(pod: Home) -> None:
    tools = pod.path / "work" / "repository" / ".venv" / "bin"
    tools.mkdir(parents=True)
    (tools / "python").write_text('#!/bin/sh\necho "ImportError: seen $3" >&2\nexit 1\n')
    (tools / "python").chmod(0o755)
    _, checks = preflight(pod, PODKEEPER_PREFLIGHT_IMPORTS="json")
    assert checks["import_json"] == Check("import_json", False, "ImportError: seen json")


def test_a_dangling_environment_fails_the_preflight(pod: Home) -> None:
    code = pod.path / "work" / "repository"
    code.mkdir(parents=True)
    (code / ".venv").symlink_to(pod.path / "wiped")
    rc, checks = preflight(pod)
    assert rc == 1
    assert ".venv is a dangling link" in checks["environment"].text


def test_the_first_failed_check_is_found_among_other_output() -> None:
    log = "noise\r\nCHECK gpus PASS 2\r\nCHECK disk FAIL full\nCHECK volume FAIL gone\n"
    assert first_failed(log) == Check("disk", False, "full")


def test_a_log_without_failed_checks_has_no_first_one() -> None:
    assert first_failed("CHECK gpus PASS 2\n") is None


def test_no_script_of_ours_names_a_folder_of_the_image() -> None:
    folder = Path(__file__).parents[2] / "jobs" / "on_pod"
    texts = [script.read_text() for script in folder.glob("*.sh")]
    assert len(texts) == 7
    assert not [text for text in texts if "/root" in text or "/workspace" in text]


def test_the_preflight_is_told_every_fatal_failure(home: Home) -> None:
    environment = environment_of(Job("ab12cd34", 1, home.order))
    assert all(known.pattern in fatal_patterns() for known in KNOWN_FAILURES if known.fatal)
    assert "stale_file_handle\t" in environment
