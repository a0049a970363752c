"""The one decision about a provision. Pure and total: facts in, a value out, nothing done."""

from datetime import datetime
from typing import assert_never

from pods.provision.absorb import absorb
from pods.provision.acting import act
from pods.provision.decision import Advance, Decision, Finish, Policy
from pods.provision.entering import enter, finish, note_fence
from pods.provision.events import event_of
from pods.provision.other_pods import about_other_pods
from pods.provision.outcomes import Outcome
from pods.provision.seen import Seen
from pods.provision.stages import Stage
from pods.provision.table import target_of
from pods.provision.value import Provision


def decide(provision: Provision, seen: Seen, now: datetime, policy: Policy) -> Decision:
    """What this pass makes of the provision.

    The caller writes `Decision.provision` first and only then does what `Decision.act` says. After `Do`
    it adds the answer to `seen` and decides again; after `Advance` it decides again; `Wait` and `Finish`
    end the pass.
    """
    known = note_fence(absorb(provision, seen, now, policy), now)
    if about_them := about_other_pods(known, seen, policy):
        return about_them
    event = event_of(known, seen, now, policy)
    target = target_of(known.stage, event) if event is not None else None
    if event is None or target is None:
        return act(known, seen, now, policy)
    match target:
        case Stage():
            return Decision(enter(known, target, event, now, policy), Advance(target))
        case Outcome():
            return Decision(finish(known, target, event, now), Finish(target))
        case _:
            assert_never(target)
