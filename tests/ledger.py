"""Pods of our own for tests that start in the middle: a ledger entry as a finished provision leaves it."""

from datetime import datetime, timedelta

from sqlmodel import Session

from pods.order import Order
from pods.provision.outcomes import ENDINGS, Outcome
from pods.provision.stages import Stage
from pods.provision.value import CallState, CreateCall, Provision
from pods.provision.value import Pod as BoundPod
from storage.keys import new_key
from storage.ledger import Asked, take, wish, write
from storage.provision_asks import set_fence


def enter(
    session: Session,
    pod_id: str,
    owner: str,
    called_at: datetime,
    *,
    name: str = "train",
    outcome: Outcome = Outcome.READY,
    asker: str | None = None,
    agent: str | None = None,
    keep_on_failure: bool = False,
    fence_at: datetime | None = None,
) -> str:
    """Write down that our create call at that time made this pod. Returns the provision's id.

    `asker`: who asked for it, if not its owner.
    """
    key = new_key()
    order = Order(name, ("NVIDIA H100 80GB HBM3",), keep_on_bootstrap_failure=keep_on_failure)
    wished = Provision(key, order, called_at, Stage.WISHED, called_at, called_at)
    asked = Asked(owner=owner, asker=asker or owner, door="slack", agent=agent)
    assert wish(session, wished, asked, called_at)
    taken = take(session, key, timedelta(minutes=1))
    assert taken is not None
    call = CreateCall(1, new_key(), order.gpus[0], (), called_at, CallState.BOUND, called_at, pod_id)
    done = Provision(
        key,
        order,
        called_at,
        ENDINGS[outcome].stage,
        called_at,
        called_at,
        calls=(call,),
        pod=BoundPod(pod_id, 1, order.gpus[0], called_at, 2.0),
        outcome=outcome,
    )
    assert write(session, taken, done, called_at, None, let_go=True)
    if fence_at is not None:
        set_fence(session, key, fence_at)
    return key
