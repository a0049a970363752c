from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pods import lines
from pods.line_order import faults_of
from pods.lines import Line, read

AT = datetime(2026, 11, 30, 17, 0, tzinfo=UTC)

EVERY_LINE = [
    (lines.provision("ab12cd34", "a"), Line("PROVISION", None, {"id": "ab12cd34", "name": "a"})),
    (
        lines.wait(
            ssh=timedelta(minutes=20), bootstrap=timedelta(minutes=50), preflight=timedelta(minutes=10)
        ),
        Line("WAIT", None, {"ssh": "20m", "bootstrap": "50m", "preflight": "10m"}),
    ),
    (
        lines.pod(
            name="a",
            pod_id="p1",
            runpod_name="a-ab12cd34",
            count=8,
            gpu="NVIDIA H100 80GB HBM3",
            usd_per_hour=21.5,
        ),
        Line(
            "POD",
            None,
            {
                "name": "a",
                "id": "p1",
                "runpod_name": "a-ab12cd34",
                "gpu": "8xNVIDIA_H100_80GB_HBM3",
                "usd_per_hour": "21.50",
            },
        ),
    ),
    (
        lines.fence(AT),
        Line("FENCE", None, {"terminates_at": "2026-11-30T17:00:00Z", "enforced_by": "podkeeper"}),
    ),
    (lines.fence(None), Line("FENCE", None, {"terminates_at": "none", "enforced_by": "none"})),
    (lines.preflight(0), Line("PREFLIGHT", "PASS", {"rc": "0"})),
    (lines.preflight(2), Line("PREFLIGHT", "FAIL", {"rc": "2"})),
    (lines.branch_ok("x/y", "abc"), Line("BRANCH", "OK", {"branch": "x/y", "head": "abc"})),
    (
        lines.branch_mismatch("x", lines.DETACHED, "abc"),
        Line("BRANCH", "MISMATCH", {"requested": "x", "actual": "(detached)", "head": "abc"}),
    ),
    (
        lines.branch_not_requested("main", None),
        Line("BRANCH", "NOT-REQUESTED", {"branch": "main", "head": "unknown"}),
    ),
    (lines.bootstrap_ok("a"), Line("BOOTSTRAP-OK", None, {"pod": "a"})),
    (lines.bootstrap_failed("a", 124), Line("BOOTSTRAP-FAILED", None, {"pod": "a", "rc": "124"})),
    (lines.clean_up("a", "TERMINATED"), Line("BOOTSTRAP-FAILED-TERMINATED", None, {"pod": "a"})),
    (lines.clean_up("a", "KEPT"), Line("BOOTSTRAP-FAILED-KEPT", None, {"pod": "a"})),
    (lines.clean_up("a", "NOT-TERMINATED"), Line("BOOTSTRAP-FAILED-NOT-TERMINATED", None, {"pod": "a"})),
    (
        lines.refused("ab", "balance"),
        Line("PROVISION-REFUSED", None, {"reason": "balance", "provision": "ab"}),
    ),
    (lines.ended("ab", "fence"), Line("PROVISION-ENDED", None, {"reason": "fence", "provision": "ab"})),
    (lines.ssh("1.2.3.4", 22022), Line("SSH", None, {"user": "root", "host": "1.2.3.4", "port": "22022"})),
]


@pytest.mark.parametrize(("text", "line"), EVERY_LINE, ids=[text.split(" ")[0] for text, _ in EVERY_LINE])
def test_every_line_reads_back_as_what_was_said(text: str, line: Line) -> None:
    assert read(text) == line


@pytest.mark.parametrize(
    "text",
    ["", "PROVISION", "BOOTSTRAP-OK: pod=a", "bootstrap-ok pod=a", "PREFLIGHT: PASS rc=0 \n", "POD:name=a"],
)
def test_what_is_no_line_reads_as_none(text: str) -> None:
    assert read(text) is None


@given(st.text(min_size=1, max_size=60))
def test_a_value_never_holds_a_space_or_a_line_break(text: str) -> None:
    assert read(lines.bootstrap_ok(text)) == Line("BOOTSTRAP-OK", None, {"pod": lines.value(text)})


def test_a_run_of_other_characters_becomes_one_underscore() -> None:
    assert lines.value("NVIDIA H100  (80GB)") == "NVIDIA_H100_80GB_"


def test_times_are_told_in_utc() -> None:
    there = datetime(2026, 11, 30, 12, 0, tzinfo=timezone(timedelta(hours=-5)))
    assert lines.moment(there) == "2026-11-30T17:00:00Z"


def test_a_time_without_a_zone_is_not_told() -> None:
    with pytest.raises(ValueError, match="zone"):
        lines.moment(datetime(2026, 11, 30))  # noqa: DTZ001 - the naive time is the point


@pytest.mark.parametrize("usd", [None, 0.0, -1.0])
def test_a_price_of_nothing_is_unknown(usd: float | None) -> None:
    assert lines.money(usd) == "unknown"


HEAD = [lines.provision("ab", "a"), EVERY_LINE[1][0], EVERY_LINE[2][0], lines.fence(None)]
CHECKS = [lines.preflight(0), lines.branch_ok("x", "abc")]


@pytest.mark.parametrize(
    "said",
    [
        HEAD,
        [*HEAD, *CHECKS, lines.bootstrap_ok("a"), lines.ssh("h", 1)],
        [*HEAD, lines.preflight(0), lines.bootstrap_ok("a"), lines.ssh("h", 1)],
        [*HEAD, lines.preflight(2), CHECKS[1], lines.bootstrap_failed("a", 2), lines.ssh("h", 1)],
        [*HEAD, lines.bootstrap_failed("a", 124), lines.clean_up("a", "TERMINATED")],
        [HEAD[0], HEAD[1], lines.refused("ab", "balance")],
        [*HEAD, lines.ended("ab", "cancelled"), lines.ssh("h", 1)],
    ],
)
def test_lines_that_a_provision_can_say_are_legal(said: list[str]) -> None:
    assert faults_of(said) == []


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ([HEAD[1], HEAD[0]], "out of order"),
        ([*HEAD, HEAD[3]], "`FENCE` stands twice"),
        ([HEAD[0], HEAD[3]], "`FENCE` without any of POD"),
        ([*HEAD, lines.preflight(2), lines.bootstrap_ok("a")], "BOOTSTRAP-OK over PREFLIGHT: FAIL"),
        (
            [*HEAD, lines.preflight(0), lines.branch_mismatch("x", "main", "c"), lines.bootstrap_ok("a")],
            "BOOTSTRAP-OK over BRANCH: MISMATCH",
        ),
        ([*HEAD, lines.bootstrap_ok("a")], "`BOOTSTRAP-OK` without any of PREFLIGHT"),
        ([*HEAD, *CHECKS, lines.bootstrap_ok("a"), lines.bootstrap_failed("a", 1)], "exclude each other"),
        (
            [
                *HEAD,
                lines.bootstrap_failed("a", 1),
                lines.clean_up("a", "KEPT"),
                lines.clean_up("a", "TERMINATED"),
            ],
            "out of order",
        ),
        (
            [
                *HEAD,
                lines.bootstrap_failed("a", 1),
                lines.clean_up("a", "TERMINATED"),
                lines.clean_up("a", "KEPT"),
            ],
            "exclude each other",
        ),
        ([*HEAD, lines.clean_up("a", "KEPT")], "without any of BOOTSTRAP-FAILED"),
        (
            [*HEAD, lines.bootstrap_failed("a", 1), lines.clean_up("a", "KEPT"), lines.ssh("h", 1)],
            "exclude each other",
        ),
        ([*HEAD, lines.refused("ab", "balance")], "POD, PROVISION-REFUSED exclude each other"),
        ([*HEAD, lines.ssh("h", 1)], "`SSH` without any of"),
        (["Done. SSH with …"], "is no line"),
    ],
)
def test_lines_that_contradict_each_other_are_found(said: list[str], fault: str) -> None:
    assert any(fault in one for one in faults_of(said)), faults_of(said)
