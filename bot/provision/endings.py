"""Every end of a provision as a sentence for people: what happened, what it costs, who decides what."""

from bot.text import code, per_hour
from pods.provision.outcomes import Outcome
from pods.provision.value import Provision
from storage.ledger import ProvisionRecord

_LEFT = "The pod is alive and costs {price}; its owner decides what becomes of it."
_SENTENCES = {
    Outcome.READY: "{name} is ready: bootstrap and checks passed. It costs {price}.",
    Outcome.NO_CAPACITY: "No machine is free for {name}. Nothing was rented: try another type or place, or"
    " let it wait with `--wait-capacity 2h`.",
    Outcome.BALANCE: "RunPod refuses {name}: the account's balance is too low. Nothing was rented.",
    Outcome.SPENDING_LIMIT: "RunPod refuses {name}: the account's spending limit is reached."
    " Nothing was rented.",
    Outcome.PROVIDER_REFUSED: "RunPod refuses {name}: {why}. Nothing was rented.",
    Outcome.OVER_LIMIT: "{name} was refused: {why}. Nothing was rented.",
    Outcome.NOT_ALLOWED: "{name} is not allowed: only active full members may rent pods. Nothing was rented.",
    Outcome.QUESTION_EXPIRED: "Nobody pressed *Go on* for {name} in time. Nothing was rented.",
    Outcome.PREFLIGHT_FAILED: "{name} is *not* ready: the checks failed. " + _LEFT,
    Outcome.WRONG_BRANCH: "{name} is *not* ready: it has the wrong branch. " + _LEFT,
    Outcome.BOOTSTRAP_FAILED: "{name} is *not* ready: the bootstrap failed. " + _LEFT,
    Outcome.NEVER_REACHED: "Nobody could ever reach {name}, so the pod was ended. It costs nothing any more.",
    Outcome.NEVER_REACHED_KEPT: "Nobody could ever reach {name}. It was kept, as you asked, and costs {price}"
    " until somebody ends it.",
    Outcome.NOT_TERMINATED: "Nobody could ever reach {name}, and its end is *not confirmed*: it may still"
    " cost {price}. I will say here when it is gone.",
    Outcome.NOT_LOGGED_IN: "{name} answered, but I could not log in ({trouble}). " + _LEFT,
    Outcome.BLIND: "I could not watch {name} all the time, so I do not know whether it was ever reachable. "
    + _LEFT,
    Outcome.STOPPED: "{name} was stopped by somebody before it was ready.",
    Outcome.TERMINATED_ELSEWHERE: "{name} was ended by somebody before it was ready.",
    Outcome.TAKEN: "RunPod took {name} away before it was ready.",
    Outcome.BALANCE_RAN_OUT: "The account's balance ran out before {name} was ready; RunPod stopped or"
    " ended it.",
    Outcome.FENCE: "{name} reached the time at which it ends by itself before it was ready.",
    Outcome.CALLED_OFF: "{name} was called off. No pod is left.",
    Outcome.CALLED_OFF_ALIVE: "{name} was called off, and what ran for it was stopped. " + _LEFT,
}


_OUT_OF_SIGHT = (
    "RunPod has not shown {name} for a long while, and nothing proves that it is gone. I leave it as it is: "
    "if it is there, it costs {price}. Please look at RunPod's console."
)


def sentence_of(found: ProvisionRecord, provision: Provision) -> str:
    """How it ended. Raises ValueError if it has not."""
    if provision.outcome is None:
        raise ValueError("it has not ended")
    lost = provision.outcome is Outcome.BLIND and provision.missing_since is not None
    return (_OUT_OF_SIGHT if lost else _SENTENCES[provision.outcome]).format(
        name=code(provision.order.name),
        price=per_hour(found.usd_per_hour),
        why=code(provision.capacity.last_text or "it did not say why", 300),
        trouble=provision.reach.trouble or "its port gave no answer",
    )
