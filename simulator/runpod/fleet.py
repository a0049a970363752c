"""The fleet: pods, money and what happens by itself. Synchronous, without I/O; time comes from the clock."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from simulator.clock import Clock
from simulator.runpod import admission
from simulator.runpod.account import Account
from simulator.runpod.agenda import Agenda, Due
from simulator.runpod.catalogue import Catalogue
from simulator.runpod.order import Order
from simulator.runpod.plan import PodPlan
from simulator.runpod.plans import Plans
from simulator.runpod.pod import Pod
from simulator.runpod.purse import Purse
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.timeline import first_run, next_run, reached
from simulator.runpod.truth import Calls, Truth

_ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


class Fleet:
    """All pods of the account, now and ever. Let `look()` happen before reading pods directly."""

    def __init__(self, clock: Clock, seed: int = 1, plan: PodPlan | None = None) -> None:
        """`seed` decides ids, machines and ports; `plan` is what every pod gets unless told otherwise."""
        self.clock = clock
        self.account = Account()
        self.catalogue = Catalogue()
        self.plans = Plans(plan or PodPlan())
        self.calls = Calls()
        self._latest = clock.now()
        self.purse = Purse(self._latest)
        self.random = random.Random(seed)
        self.allocate_port: Callable[[], int] = lambda: self.random.randrange(10_000, 60_000)
        self._ever: dict[str, Pod] = {}
        self._present: dict[str, Pod] = {}
        self._agenda = Agenda()

    # Reading

    def look(self) -> datetime:
        """Let everything happen that is due, and say what time it is. The provider's time never goes back."""
        now = self._latest = max(self._latest, self.clock.now())
        while True:
            due = self._agenda.next_at(now)
            broke = self.purse.empty_at(due or now)
            if broke is not None:
                self._money_ran_out(broke)
            elif due is not None:
                self._happen(self._agenda.pop())
            else:
                return now

    def present(self) -> Iterable[Pod]:
        """The pods that exist now, newest first (and ended ones that are still listed)."""
        self.look()
        return reversed(list(self._present.values()))

    def find(self, pod_id: str) -> Pod | None:
        """A pod that exists now, by id."""
        self.look()
        return self._present.get(pod_id)

    def get(self, pod_id: str) -> Pod:
        """A pod that exists now; `RefusedError` otherwise."""
        pod = self.find(pod_id)
        if pod is None or pod.ended_at is not None:
            raise RefusedError(Why.NOT_FOUND, "pod not found")
        return pod

    def truth(self, pod_id: str) -> Truth:
        """The answer sheet of a pod that exists or existed; `KeyError` for an id that never was."""
        now = self.look()
        return self._ever[pod_id].truth(now)

    def truths(self) -> list[Truth]:
        """The answer sheets of every pod ever, oldest first."""
        now = self.look()
        return [pod.truth(now) for pod in self._ever.values()]

    def ever(self) -> Iterable[Pod]:
        """Every pod there ever was, oldest first."""
        return self._ever.values()

    # Acting. `by` is the actor, `call` the API call's number, `at` a time in the past for made-up histories.

    def create(
        self,
        order: Order,
        by: str,
        *,
        call: int | None = None,
        at: datetime | None = None,
        plan: PodPlan | None = None,
        data_center: str | None = None,
    ) -> Pod:
        """Rent a pod; `RefusedError` for want of capacity, balance or spending limit.

        `data_center` puts it there without asking for capacity.
        """
        at = at or self.look()
        place = data_center or admission.place(self.catalogue, order)
        plan = plan or self.plans.take(order.name)
        price = plan.price if plan.price is not None else admission.price(self.catalogue, order)
        self._check_money(price, at)
        ports = {private: self.allocate_port() for private in order.tcp_ports()}
        pod = Pod(
            id=self.new_id(14),
            order=order,
            plan=plan,
            created_at=at,
            created_by=by,
            data_center=place,
            machine=self.new_id(12),
            price=price,
            run=first_run(order, plan, at, ports),
            tariffs=[],
            locked=plan.locked,
            cluster=plan.cluster,
            nulls_left=plan.runtime_nulls,
        )
        self._ever[pod.id] = self._present[pod.id] = pod
        self._changed(pod, at, "created", by, call)
        self._agenda.plan_ahead(pod)
        return pod

    def stop(self, pod_id: str, by: str, *, call: int | None = None, at: datetime | None = None) -> Pod:
        """Stop a pod that is meant to run; its container disk is lost."""
        return self._end_run(self._unlocked(pod_id), at or self.look(), "stopped", by, call)

    def start(self, pod_id: str, by: str, *, call: int | None = None, at: datetime | None = None) -> Pod:
        """Start a stopped pod on its own machine: new container disk, new ports."""
        at = at or self.look()
        pod = self.get(pod_id)
        if pod.run.ended_at is None:
            raise RefusedError(
                Why.WRONG_STATE, f"action 'start' is not valid for a pod that is {pod.phase(at)}"
            )
        admission.check_free_gpus(self.catalogue, pod.order, pod.data_center)
        self._check_money(pod.price, at)
        return self._run_again(pod, at, "started", by, call)

    def restart(self, pod_id: str, by: str, *, call: int | None = None, at: datetime | None = None) -> Pod:
        """Restart a running pod's container: same disk, new ports."""
        at = at or self.look()
        pod = self._unlocked(pod_id)
        if pod.run.ended_at is not None:
            raise RefusedError(
                Why.WRONG_STATE, f"action 'restart' is not valid for a pod that is {pod.phase(at)}"
            )
        pod.run = replace(pod.run, ended_at=at)
        return self._run_again(pod, at, "restarted", by, call)

    def terminate(self, pod_id: str, by: str, *, call: int | None = None, at: datetime | None = None) -> Pod:
        """End a pod for good, at once or when its plan says."""
        at = at or self.look()
        pod = self.get(pod_id)
        if pod.terminate_asked_at is None:
            pod.terminate_asked_at = at
            pod.record(at, "terminate_asked", by, call)
        if pod.plan.terminate_takes_s > 0:
            self._agenda.add(at + timedelta(seconds=pod.plan.terminate_takes_s), pod, "end")
        else:
            self._end(pod, at, by, call)
        return pod

    def edit(self, pod_id: str, order: Order, by: str, *, call: int | None = None) -> Pod:
        """Give a pod another configuration; what matters to the container restarts it if it runs."""
        at = self.look()
        pod = self.get(pod_id)
        harmless = replace(pod.order, name=order.name)
        pod.order, changed = order, order != harmless
        pod.record(at, "edited", by, call)
        if changed and pod.run.ended_at is None:
            pod.run = replace(pod.run, ended_at=at)
            self._run_again(pod, at, "restarted", by, call)
        return pod

    def lock(self, pod_id: str, locked: bool, by: str, *, call: int | None = None) -> Pod:
        """Lock or unlock a pod: a locked one cannot be stopped or restarted."""
        at = self.look()
        pod = self.get(pod_id)
        pod.locked = locked
        pod.record(at, "locked" if locked else "unlocked", by, call)
        return pod

    def copy(self, pod_id: str, by: str, *, ends_original: bool) -> Pod:
        """RunPod's migration (the original ends) or "clone": a new id with the same name and environment."""
        at = self.look()
        old = self.get(pod_id)
        new = self.create(old.order, by, at=at, data_center=old.data_center)
        new.moved_from = old.id
        if ends_original:
            self._end(old, at, by, None)
        return new

    def exit(
        self, pod_id: str, what: Literal["exited", "outbid"] = "exited", *, at: datetime | None = None
    ) -> Pod:
        """RunPod itself stops a pod: its container exited, or somebody bid more."""
        return self._end_run(self.get(pod_id), at or self.look(), what, "provider", None)

    def usd_per_hour(self) -> float:
        """What all pods together cost now for computing."""
        return sum(pod.tariffs[-1].compute for pod in self._present.values())

    # What follows from acting

    def _check_money(self, price: float, at: datetime) -> None:
        admission.check_money(
            price,
            balance=self.purse.left(at),
            burning=self.usd_per_hour(),
            limit=self.account.switches.spending_limit,
        )

    def _unlocked(self, pod_id: str) -> Pod:
        pod = self.get(pod_id)
        if pod.locked:
            raise RefusedError(Why.LOCKED, "pod is locked: unlock it before stopping or resetting it")
        return pod

    def _end_run(self, pod: Pod, at: datetime, what: str, by: str, call: int | None) -> Pod:
        if pod.run.ended_at is not None:
            raise RefusedError(
                Why.WRONG_STATE, f"action 'stop' is not valid for a pod that is {pod.phase(at)}"
            )
        pod.run = replace(pod.run, ended_at=at, failed=what == "error")
        self._changed(pod, at, what, by, call)
        return pod

    def _run_again(self, pod: Pod, at: datetime, what: str, by: str, call: int | None) -> Pod:
        pod.earlier_runs.append(pod.run)
        ports = {private: self.allocate_port() for private in pod.order.tcp_ports()}
        pod.run = next_run(pod.run, pod.plan, at, ports, restart=what == "restarted")
        self._changed(pod, at, what, by, call)
        self._agenda.plan_ahead(pod)
        return pod

    def _end(self, pod: Pod, at: datetime, by: str, call: int | None) -> None:
        if pod.run.ended_at is None:
            pod.run = replace(pod.run, ended_at=at)
        pod.ended_at = at
        self._changed(pod, at, "ended", by, call)
        if pod.plan.terminated_listed_s > 0:
            self._agenda.add(at + timedelta(seconds=pod.plan.terminated_listed_s), pod, "unlist")
        else:
            del self._present[pod.id]

    def _changed(self, pod: Pod, at: datetime, what: str, by: str, call: int | None) -> None:
        before = pod.usd_per_hour() if pod.tariffs else 0.0
        pod.record(at, what, by, call)
        pod.reprice(at)
        self.purse.burn(at, pod.usd_per_hour() - before)

    # What happens by itself

    def _happen(self, due: Due) -> None:
        pod = self._present.get(due.pod_id)
        if pod is None:
            return
        if due.what == "unlist":
            del self._present[pod.id]
        elif due.what == "end":
            if pod.ended_at is None and (asked := pod.last("terminate_asked")) is not None:
                self._end(pod, due.at, asked.by, asked.call)
        elif due.run == pod.run.number and pod.run.ended_at is None:
            self._end_run(pod, due.at, due.what, "provider", None)

    def _money_ran_out(self, at: datetime) -> None:
        """At $0 a pod on a network volume is stopped, any other terminated with its data (RunPod docs)."""
        self.purse.spent_up(at)
        for pod in list(self._present.values()):
            if reached(pod.ended_at, at):
                continue
            if pod.order.network is None:
                self._end(pod, at, "provider", None)
            elif pod.run.ended_at is None:
                self._end_run(pod, at, "balance", "provider", None)

    def new_id(self, length: int) -> str:
        """An id that nothing has had yet, decided by the seed."""
        return "".join(self.random.choices(_ID_LETTERS, k=length))
