"""Provisions as the reconciler writes them, for the tests of everything that stands on the ledger."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from pods.order import Order
from pods.provision.stages import Stage
from pods.provision.value import CallState, CreateCall, Pod, Provision
from storage import ledger
from storage.ledger import Asked, ProvisionRecord

MINUTE = timedelta(minutes=1)
ALICE = Asked(owner="U1", asker="U1", door="slack", channel="C1")


def wished(now: datetime, provision_id: str = "aaaaaaaa", name: str = "train") -> Provision:
    return Provision(
        id=provision_id,
        order=Order(name=name, gpus=("H100",)),
        wished_at=now,
        stage=Stage.WISHED,
        stage_since=now,
        looked_at=now,
    )


def with_call(provision: Provision, at: datetime, pod_id: str | None = None, number: int = 1) -> Provision:
    state = CallState.BOUND if pod_id else CallState.OPEN
    call = CreateCall(number, f"token{number}", "H100", (), at, state=state, pod_id=pod_id)
    pod = Pod(pod_id, number, "H100", at, 2.5) if pod_id else None
    return replace(provision, calls=(*provision.calls, call), pod=pod, stage=Stage.CREATING)


def wish(provision: Provision, now: datetime) -> Callable[[Session], bool]:
    return lambda session: ledger.wish(session, provision, ALICE, now)


def take(now: datetime) -> Callable[[Session], list[ProvisionRecord]]:
    return lambda session: ledger.take_due(session, now, MINUTE, 10)


def write(
    taken: ProvisionRecord, provision: Provision, now: datetime, *, let_go: bool = True
) -> Callable[[Session], bool]:
    due = now + MINUTE
    return lambda session: ledger.write(session, taken, provision, now, due, let_go=let_go)
