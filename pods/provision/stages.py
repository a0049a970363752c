"""The stages of a provision, in the order in which a launch that goes well passes them."""

from enum import StrEnum


class Stage(StrEnum):
    WISHED = "wished"
    CREATING = "creating"
    WAITING_RUNTIME = "waiting_runtime"
    WAITING_SSH = "waiting_ssh"
    BOOTSTRAPPING = "bootstrapping"
    PREFLIGHT = "preflight"
    BRANCH = "branch"
    READY = "ready"
    FAILED = "failed"
    ENDED = "ended"


WITHOUT_POD = frozenset({Stage.WISHED, Stage.CREATING})
WAITING = frozenset({Stage.WAITING_RUNTIME, Stage.WAITING_SSH})
WORKING = frozenset({Stage.BOOTSTRAPPING, Stage.PREFLIGHT, Stage.BRANCH})
UNDER_WAY = WITHOUT_POD | WAITING | WORKING
