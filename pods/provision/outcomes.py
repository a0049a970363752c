"""How a provision can end: its exit code, its final stage, and what becomes of the pod. One row each."""

from dataclasses import dataclass
from enum import StrEnum

from pods.exit_codes import ExitCode
from pods.provision.stages import Stage


class PodFate(StrEnum):
    """What an outcome does to the pod."""

    NONE = "no pod exists"
    LIVES = "it is in use"
    LEFT = "left alive; owner and asker are told at once and the owner decides"
    TORN_DOWN = "torn down by its exact id, read back"
    KEPT = "kept on purpose"
    CHASED = "its end is not confirmed and is being chased"
    NOT_OURS_ANY_MORE = "somebody else's act; nothing is done to it"


class Outcome(StrEnum):
    READY = "ready"
    NO_CAPACITY = "no_capacity"
    BALANCE = "balance"
    SPENDING_LIMIT = "spending_limit"
    PROVIDER_REFUSED = "provider"
    OVER_LIMIT = "over_limit"
    NOT_ALLOWED = "not_allowed"
    QUESTION_EXPIRED = "question_expired"
    PREFLIGHT_FAILED = "preflight_failed"
    WRONG_BRANCH = "wrong_branch"
    BOOTSTRAP_FAILED = "bootstrap_failed"
    NEVER_REACHED = "never_reached"
    NEVER_REACHED_KEPT = "never_reached_kept"
    NOT_TERMINATED = "not_terminated"
    NOT_LOGGED_IN = "not_logged_in"
    BLIND = "blind"
    STOPPED = "stopped"
    TERMINATED_ELSEWHERE = "terminated_elsewhere"
    TAKEN = "taken"
    BALANCE_RAN_OUT = "balance_ran_out"
    FENCE = "fence"
    CALLED_OFF = "called_off"
    CALLED_OFF_ALIVE = "called_off_alive"


@dataclass(frozen=True, slots=True)
class Ending:
    """One row of the table of outcomes."""

    exit_code: ExitCode
    stage: Stage
    pod: PodFate
    refused: str | None = None
    """The reason in `PROVISION-REFUSED`."""
    ended: str | None = None
    """The reason in `PROVISION-ENDED`."""
    failed: bool = False
    """Says `BOOTSTRAP-FAILED`."""
    clean_up: str | None = None
    """The word after `BOOTSTRAP-FAILED-` that tells what became of a pod nobody reached."""
    ssh: bool = False
    """Ends with `SSH:`, if the pod was reached."""


ENDINGS: dict[Outcome, Ending] = {
    Outcome.READY: Ending(ExitCode.OK, Stage.READY, PodFate.LIVES, ssh=True),
    Outcome.NO_CAPACITY: Ending(ExitCode.PROVIDER_REFUSED, Stage.FAILED, PodFate.NONE, refused="no_capacity"),
    Outcome.BALANCE: Ending(ExitCode.PROVIDER_REFUSED, Stage.FAILED, PodFate.NONE, refused="balance"),
    Outcome.SPENDING_LIMIT: Ending(
        ExitCode.PROVIDER_REFUSED, Stage.FAILED, PodFate.NONE, refused="spending_limit"
    ),
    Outcome.PROVIDER_REFUSED: Ending(
        ExitCode.PROVIDER_REFUSED, Stage.FAILED, PodFate.NONE, refused="provider"
    ),
    Outcome.OVER_LIMIT: Ending(ExitCode.REFUSED, Stage.FAILED, PodFate.NONE, refused="over_limit"),
    Outcome.NOT_ALLOWED: Ending(ExitCode.REFUSED, Stage.FAILED, PodFate.NONE, refused="not_allowed"),
    Outcome.QUESTION_EXPIRED: Ending(ExitCode.ASKED, Stage.ENDED, PodFate.NONE),
    Outcome.PREFLIGHT_FAILED: Ending(
        ExitCode.PREFLIGHT_FAILED, Stage.FAILED, PodFate.LEFT, failed=True, ssh=True
    ),
    Outcome.WRONG_BRANCH: Ending(ExitCode.WRONG_BRANCH, Stage.FAILED, PodFate.LEFT, failed=True, ssh=True),
    Outcome.BOOTSTRAP_FAILED: Ending(
        ExitCode.BOOTSTRAP_FAILED, Stage.FAILED, PodFate.LEFT, failed=True, ssh=True
    ),
    Outcome.NEVER_REACHED: Ending(
        ExitCode.NEVER_REACHED_ENDED, Stage.FAILED, PodFate.TORN_DOWN, failed=True, clean_up="TERMINATED"
    ),
    Outcome.NEVER_REACHED_KEPT: Ending(
        ExitCode.NEVER_REACHED_EXISTS, Stage.FAILED, PodFate.KEPT, failed=True, clean_up="KEPT"
    ),
    Outcome.NOT_TERMINATED: Ending(
        ExitCode.NEVER_REACHED_EXISTS, Stage.FAILED, PodFate.CHASED, failed=True, clean_up="NOT-TERMINATED"
    ),
    Outcome.NOT_LOGGED_IN: Ending(ExitCode.NOT_LOGGED_IN, Stage.FAILED, PodFate.LEFT, failed=True, ssh=True),
    Outcome.BLIND: Ending(ExitCode.NOT_LOGGED_IN, Stage.FAILED, PodFate.LEFT, failed=True, ssh=True),
    Outcome.STOPPED: Ending(
        ExitCode.ENDED_ELSEWHERE, Stage.ENDED, PodFate.NOT_OURS_ANY_MORE, ended="stopped"
    ),
    Outcome.TERMINATED_ELSEWHERE: Ending(
        ExitCode.ENDED_ELSEWHERE, Stage.ENDED, PodFate.NONE, ended="terminated_elsewhere"
    ),
    Outcome.TAKEN: Ending(ExitCode.ENDED_ELSEWHERE, Stage.ENDED, PodFate.NOT_OURS_ANY_MORE, ended="taken"),
    Outcome.BALANCE_RAN_OUT: Ending(
        ExitCode.ENDED_ELSEWHERE, Stage.ENDED, PodFate.NOT_OURS_ANY_MORE, ended="balance"
    ),
    Outcome.FENCE: Ending(ExitCode.ENDED_ELSEWHERE, Stage.ENDED, PodFate.NONE, ended="fence"),
    Outcome.CALLED_OFF: Ending(ExitCode.CALLED_OFF, Stage.ENDED, PodFate.TORN_DOWN, ended="cancelled"),
    Outcome.CALLED_OFF_ALIVE: Ending(
        ExitCode.CALLED_OFF_ALIVE, Stage.ENDED, PodFate.LEFT, ended="cancelled", ssh=True
    ),
}
