"""The switches by which this account, its pods and single calls become odd."""

import re
from collections.abc import Mapping
from datetime import timedelta

from simulator.runpod.account import Switches
from simulator.runpod.faults import Fault
from simulator.runpod.plan import PodPlan
from simulator.runpod.rest import RestApi

CREATE = ("POST", r"^/v2/pods$")
ONE_POD = r"^/v2/pods/[^/]+$"


class Quirks:
    """Set by tests and the control API. A wrong field or value is a `pydantic.ValidationError`."""

    def __init__(self, api: RestApi) -> None:
        self._api = api
        self._fleet = api.fleet

    @property
    def account(self) -> Switches:
        """The account's switches: assign to a field."""
        return self._fleet.account.switches

    # Pods

    def every_pod(self, **plan: object) -> None:
        """From now on every new pod is so."""
        self._fleet.plans.default = self._fleet.plans.default.with_changes(**plan)

    def next_pod(self, **plan: object) -> None:
        """The next pod that is created by the API is so; several calls queue up."""
        PodPlan().with_changes(**plan)
        self._fleet.plans.queued.append(dict(plan))

    def pods_named(self, pattern: str, **plan: object) -> None:
        """Every new pod whose name the regular expression finds is so. `ValueError` for a bad expression."""
        PodPlan().with_changes(**plan)
        self._fleet.plans.by_name.append((_pattern(pattern), dict(plan)))

    def pod(self, pod_id: str, **plan: object) -> None:
        """A live pod is so from now on; timings count from its next start. `RefusedError` if unknown."""
        pod = self._fleet.get(pod_id)
        pod.plan = pod.plan.with_changes(**plan)
        if "runtime_nulls" in plan:
            pod.nulls_left = pod.plan.runtime_nulls
        if "locked" in plan:
            pod.locked = pod.plan.locked
        if "cluster" in plan:
            pod.cluster = pod.plan.cluster

    # Calls

    def answer(
        self,
        method: str,
        path: str,
        *,
        times: int = 1,
        status: int | None = None,
        body: object = None,
        html: bool = False,
        applied: bool = False,
        drop: bool = False,
        delay_s: float = 0,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """The next `times` calls whose method and path (a regular expression) match are answered so."""
        fault = Fault(
            method=method,
            path=_pattern(path),
            status=status,
            body=body,
            html=html,
            applied=applied,
            drop=drop,
            delay_s=delay_s,
            headers=tuple((headers or {}).items()),
        )
        self._api.faults.add(fault, times)

    def create_answers_500(self, *, created: bool, times: int = 1) -> None:
        """A create answers 500 and has created the pod, or has not."""
        self.answer(*CREATE, status=500, applied=created, times=times)

    def create_answer_is_lost(self, *, created: bool = True, times: int = 1) -> None:
        """A create's connection ends without an answer, after (or without) creating."""
        self.answer(*CREATE, drop=True, applied=created, times=times)

    def terminate_answers(self, status: int, *, ended: bool = False, times: int = 1) -> None:
        """A DELETE of a pod answers so, having ended it or not."""
        self.answer("DELETE", ONE_POD, status=status, applied=ended, times=times)

    def html_502(self, method: str = "*", path: str = "^/v2/", times: int = 1) -> None:
        """Matching calls answer 502 with a web page."""
        self.answer(method, path, status=502, html=True, times=times)

    def too_many_requests(self, retry_after_s: int = 12, path: str = "^/v2/", times: int = 1) -> None:
        """Matching calls answer 429."""
        self.answer("*", path, status=429, headers={"Retry-After": str(retry_after_s)}, times=times)

    def no_answer(self, method: str = "*", path: str = "^/v2/", times: int = 1) -> None:
        """Matching calls are cut without an answer and without effect."""
        self.answer(method, path, drop=True, times=times)

    def others_call(self, times: int) -> None:
        """Other people's scripts use up so much of the quota now."""
        self._api.quota.use(self._fleet.look(), times)

    def clock_is_off(self, by: timedelta) -> None:
        """The provider's Date header is off by so much."""
        self.account.date_offset_s = by.total_seconds()

    def clear(self) -> None:
        """All calls go well, the account is as new, new pods are ordinary. Live pods stay as they are."""
        self._api.faults.clear()
        self._fleet.account.switches = Switches()
        self._fleet.plans.queued.clear()
        self._fleet.plans.by_name.clear()
        self._fleet.plans.default = PodPlan()


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as why:
        raise ValueError(f"{text!r} is not a regular expression: {why}") from why
