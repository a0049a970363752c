"""Pods that bear a provision's marks beside the one that is its own.

A copy or a moved pod is asked about. If two calls of ours made a pod each, both are ours; the later one
is handed to the executor if it was surely never reached, else its owner is asked.
"""

from dataclasses import replace

from pods.provision.absorb import strangers_of
from pods.provision.decision import Decision, Do, Policy
from pods.provision.effects import AskOwner, Question, Teardown
from pods.provision.seen import Seen
from pods.provision.value import Provision


def about_other_pods(provision: Provision, seen: Seen, policy: Policy) -> Decision | None:
    """What is to be done about a further pod that bears our marks, if there is one not yet dealt with."""
    if strangers := strangers_of(provision, seen, policy):
        asked = replace(provision, copies=(*provision.copies, *strangers))
        return Decision(asked, Do(AskOwner(Question.MOVED_OR_COPIED, strangers)))
    pod = provision.pod
    for call in provision.calls:
        if pod is None or call.pod_id in (None, pod.pod_id, *provision.extra_pods):
            continue
        extra = call.pod_id or ""
        noted = replace(provision, extra_pods=(*provision.extra_pods, extra))
        surely_idle = call.number > pod.call and not provision.blind
        if surely_idle or (provision.cancelled_at and not provision.blind):
            return Decision(noted, Do(Teardown(extra)))
        return Decision(noted, Do(AskOwner(Question.SECOND_POD, (extra,))))
    return None
