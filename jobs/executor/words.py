"""Why a deed was not done, in the words that its outcome keeps."""

from collections.abc import Mapping

from pods.guards import Need
from pods.permission import Refusal

SIGN_OF_LIFE = "the last look found a sign of life"
UNREACHABLE = "the pod did not answer in time, which may be the network on our side"
LAPSED = "it could not be begun in time"
NO_SUCH_PATH = "there is no rule that allows this"
NEVER_SEEN = "no such pod was ever seen"
CHANGED = "the pod has changed since it was decided"
KEPT_SINCE = "it was kept, or for longer, after that was decided"
ALREADY_GONE = "it was gone already"
ALREADY_SO = "it was so already"
ANOTHER_STATE = "the pod has changed since, and nobody has decided about what it is now"

WORDS: Mapping[Need | Refusal, str] = {
    Need.NOT_LOCKED: "it is locked at RunPod",
    Need.NOT_IN_CLUSTER: "it is part of a cluster",
    Need.FINGERPRINT_UNCHANGED: CHANGED,
    Need.CLOCK_SOUND: "my clock and RunPod's do not agree",
    Need.OPS_CHANNEL: "the ops channel cannot be reached, so nobody would hear of it",
    Need.BOUND_TO_PROVISION: "the pod does not belong to that provision",
    Need.NEVER_REACHED: "the pod was reached, or it is not known that it was not",
    Need.PROVED: "I did not make that pod",
    Need.NO_CONFLICT: "several people say that it is theirs",
    Need.NOTICE_RIPE: "its owner has not been told long enough",
    Need.STILL_DUE: "looked at again, there is no reason for it any more",
    Need.IN_PLAN: "looked at again, it is not among the pods to be ended now",
    Need.LAST_LOOK: SIGN_OF_LIFE,
    Need.ONE_DEED: "that was tried once already",
    Need.RIGHT_TO_END: "whoever asked is not its owner now, or has no right to end it yet",
    Need.ADMIN: "whoever asked is no admin now",
    Need.SOMEBODY_ELSES: "it is the admin's own pod",
    Need.REASON: "no reason was given",
    Need.OWNER_WARNED: "its owner could not be told 15 minutes before",
    Need.OWN_PROVISION: "that agent did not provision it, or is not active",
    Refusal.KEPT: "it is kept",
    Refusal.KEPT_SINCE: KEPT_SINCE,
    Refusal.DISARMED: "an admin has disarmed that",
    Refusal.PAUSED: "everything is paused",
    Refusal.NOT_SHOWN: "it was not shown to whoever decided",
    Refusal.ONE_AT_A_TIME: "another end by the same admin is not over yet",
    Refusal.OVER_LIMIT: "that would be more than the limit allows",
}
