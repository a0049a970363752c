"""The preflight's own report: `CHECK <name> PASS|FAIL <text>`, a line each, among whatever else it prints."""

import re
from dataclasses import dataclass

_CHECK = re.compile(r"^CHECK (\S+) (PASS|FAIL)(?: (.*))?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    passed: bool
    text: str


def checks_in(log: str) -> tuple[Check, ...]:
    """Every check that the log tells of, in its order."""
    found = _CHECK.findall(log.replace("\r\n", "\n"))
    return tuple(Check(name, word == "PASS", text) for name, word, text in found)


def first_failed(log: str) -> Check | None:
    """The check that a failed preflight is explained by."""
    return next((check for check in checks_in(log) if not check.passed), None)
