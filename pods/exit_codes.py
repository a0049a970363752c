"""The exit codes of the command line. These and no others."""

from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0
    """Done and proved; with `--no-wait`: accepted, nothing is ready."""
    FAILED = 1
    """A service command failed, with the sentence on stderr."""
    USAGE = 2
    """Wrong usage, an ambiguous name, or a pod or provision that nobody ever heard of."""
    FINDINGS = 20
    """`audit`: the whole fleet was seen and there are findings."""
    NOT_SEEN_WHOLE = 21
    """`audit`: the fleet could not be seen whole; no verdict from absence was given."""
    PROVIDER_REFUSED = 69
    """Refused by the provider before a pod existed."""
    NOT_CONFIRMED_GONE = 70
    """`terminate`: not confirmed gone in time, or a real failure; it is being chased."""
    UNREACHABLE = 75
    """The service or the provider cannot be reached; nothing is known to have happened."""
    ASKED = 76
    """A person was asked; nothing is done yet."""
    REFUSED = 77
    """Refused by us: not allowed, paused, over a limit or budget, agent not confirmed."""
    PREFLIGHT_FAILED = 78
    """The pod is alive."""
    WRONG_BRANCH = 79
    """The pod is alive."""
    BOOTSTRAP_FAILED = 80
    """The pod is alive."""
    NEVER_REACHED_ENDED = 81
    """The pod was never reached and has been terminated, read back."""
    NEVER_REACHED_EXISTS = 82
    """The pod was never reached and still exists."""
    NOT_LOGGED_IN = 83
    """The pod answered without letting us in, its port only timed out, or we were blind; it is alive."""
    ENDED_ELSEWHERE = 84
    """Stopped, ended or taken away by somebody else, by its own fence or for balance, before it was ready."""
    CALLED_OFF = 85
    """Called off; no pod is left."""
    CALLED_OFF_ALIVE = 86
    """Called off; the pod had been reached and is alive: its owner decides."""
    INTERRUPTED = 130
    """The telling was interrupted; the work goes on."""
