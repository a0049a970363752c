"""One check and what came of it."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a check went."""

    OK = "OK"
    FAIL = "FAIL"
    SKIP = "SKIP"
    """It could not be made, because of another check or because nothing here can see it."""


class Name(StrEnum):
    """The checks of the contract, in their order."""

    SLACK_TOKEN = "slack_token"
    SLACK_SCOPES = "slack_scopes"
    SLACK_APP_SETTINGS = "slack_app_settings"
    RUNPOD_KEY = "runpod_key"
    RUNPOD_SEES_PODS = "runpod_sees_pods"
    DATABASE = "database"
    SSH_KEY = "ssh_key"
    SECRET_FILE = "secret_file"
    OPS_CHANNEL = "ops_channel"
    ADMINS = "admins"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Check:
    """The line of one check."""

    name: Name
    state: State
    sentence: str

    def __str__(self) -> str:
        return f"{self.state} {self.name}: {self.sentence}"


def ok(name: Name, sentence: str) -> Check:
    return Check(name, State.OK, sentence)


def fail(name: Name, sentence: str) -> Check:
    return Check(name, State.FAIL, sentence)


def skip(name: Name, sentence: str) -> Check:
    return Check(name, State.SKIP, sentence)


def failing(checks: "list[Check]") -> tuple[str, ...]:
    """The lines of the checks that failed; skipped ones do not count."""
    return tuple(str(check) for check in checks if check.state is State.FAIL)
