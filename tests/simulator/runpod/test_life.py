"""Random life: whatever people, the API and the provider do, what is shown and what is true agree."""

import contextlib
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from simulator.clock import ManualClock
from simulator.runpod import Fleet, RefusedError, RestApi
from simulator.runpod.history import rent
from tests.simulator.runpod.client import Client

SECONDS = st.one_of(st.none(), st.integers(0, 7200))
PLANS = st.fixed_dictionaries(
    {},
    optional={
        "stuck_in": st.sampled_from(["PROVISIONING", "STARTING", "RUNNING"]),
        "pull_s": SECONDS,
        "ports_s": SECONDS,
        "exits_after_s": SECONDS,
        "outbid_after_s": SECONDS,
        "error_after_s": SECONDS,
        "container_dies_after_s": SECONDS,
        "terminate_takes_s": st.integers(0, 7200),
        "running_at_once": st.booleans(),
        "locked": st.booleans(),
    },
)
ACTIONS = {
    "PROVISIONING": ["stop", "terminate"],
    "STARTING": ["stop", "terminate"],
    "RUNNING": ["stop", "restart", "terminate"],
    "EXITED": ["start", "terminate"],
    "ERROR": ["start", "terminate"],
}


class Life(RuleBasedStateMachine):
    pods = Bundle("pods")

    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
        self.fleet = Fleet(self.clock)
        self.fleet.account.switches.rate_limits = None
        self.client = Client(RestApi(self.fleet))
        self.billed: dict[str, float] = {}
        self.first_start: dict[str, datetime] = {}

    @rule(target=pods, plan=PLANS, hours=st.integers(0, 100))
    def somebody_rents(self, plan: dict[str, Any], hours: int) -> str:
        return rent(self.fleet, "pod", created=timedelta(hours=hours), volume_gb=20, **plan).id

    @rule(seconds=st.integers(1, 100_000))
    def time_passes(self, seconds: int) -> None:
        self.clock.advance(timedelta(seconds=seconds))

    @rule(pod=pods, verb=st.sampled_from(["stop", "start", "restart", "terminate"]))
    def a_person_acts(self, pod: str, verb: str) -> None:
        with contextlib.suppress(RefusedError):
            getattr(self.fleet, verb)(pod, "console:bob")

    @rule(pod=pods, verb=st.sampled_from(["stop", "start", "restart", "terminate"]))
    def the_api_acts(self, pod: str, verb: str) -> None:
        before = self.client.call("GET", f"/v2/pods/{pod}")
        answer = self.client.call("POST", f"/v2/pods/{pod}/action", {"action": verb})
        if before.status == 404:
            assert answer.status == 404
        elif verb not in _body(before)["actions"]:
            assert answer.status == 409
        else:
            assert answer.status in (200, 204) or (answer.status == 409 and _body(before)["locked"])

    @rule(pod=consumes(pods))
    def the_provider_moves(self, pod: str) -> None:
        if self.fleet.find(pod) is not None:
            self.fleet.copy(pod, "provider", ends_original=True)

    @invariant()
    def what_is_shown_agrees_with_what_is_true(self) -> None:
        listed = {pod["id"]: pod for pod in self.client.listed()}
        truths = {truth.id: truth for truth in self.fleet.truths()}

        assert set(listed) == {truth.id for truth in truths.values() if truth.ended_at is None}
        for pod_id, shown in listed.items():
            ran = truths[pod_id].container_first_started_at is not None
            assert shown["actions"] == ACTIONS[shown["status"]]
            assert shown["runtime"] is None or (shown["status"] == "RUNNING" and ran)
            assert shown["ssh"]["direct"] is None or shown["runtime"]["ports"]
            assert (shown["cost"] > 0) is (shown["status"] not in ("EXITED", "ERROR"))

    @invariant()
    def the_truth_only_grows(self) -> None:
        for truth in self.fleet.truths():
            times = [transition.at for transition in truth.transitions]
            assert times == sorted(times)
            assert truth.billed_usd >= self.billed.get(truth.id, 0.0) - 1e-9
            self.billed[truth.id] = truth.billed_usd
            first = self.first_start.get(truth.id, truth.container_first_started_at)
            assert truth.container_first_started_at == first
            if first is not None:
                self.first_start[truth.id] = first
            assert truth.ended_at is None or truth.ended_by is not None


def _body(answer: Any) -> dict[str, Any]:
    body: dict[str, Any] = answer.body
    return body


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
