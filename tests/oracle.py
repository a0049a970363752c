"""What may be ended, stopped and created, by what the simulator knows and what people of this life wanted.

The product's own tables are asked one thing only: by which path of the guard table it says that it acted.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from pods.guards import Path
from pods.permission import ADMIN_WARNING
from simulator.runpod.truth import Call, Truth
from storage.deed import deeds_of
from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests.life import Life, Mine

_KEEP_STOPS = frozenset({Path.FENCE, Path.STALE, Path.ADMIN, Path.AGENT})
_ASKED = frozenset({Path.OWNER, Path.ADMIN, Path.AGENT, Path.STOP})


@dataclass(slots=True)
class Oracle:
    """Looks at every call that reached the provider, once."""

    life: Life
    ends: Counter[str] = field(default_factory=Counter)
    """Path → rightful ends (and stops) that the provider accepted."""
    created: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Provision → the pods that its create calls made."""
    refused: list[tuple[str, datetime]] = field(default_factory=list)
    """Ends that RunPod did not take, to be fetched by whoever wants to know who heard of them."""
    _tokens: set[str] = field(default_factory=set)
    _ended: Counter[str] = field(default_factory=Counter)

    def check(self) -> None:
        """Every call since the last check was rightful. Raises AssertionError."""
        calls, troubles = self.life.fleet.calls, self.life.troubles
        broken = [entry for entry in troubles if entry["log_level"] == "error"]
        assert not broken, f"something broke: {broken}"
        troubles.clear()
        for call in calls:
            if not call.by.startswith("api:"):
                continue
            match call.operation:
                case "terminate" | "stop":
                    self._check_act(call)
                case "create":
                    self._check_create(call)
        calls.clear()

    def _check_create(self, call: Call) -> None:
        pod = self.life.fleet.find(call.pod_id) if call.pod_id else None
        if pod is None:
            return
        provision, token = pod.order.env["PODKEEPER_PROVISION"], pod.order.env["PODKEEPER_CREATE"]
        assert provision in self.life.ordered, f"{pod.id} was created, and nobody had ordered it"
        assert token not in self._tokens, f"the call {token} of {provision} was made twice"
        self._tokens.add(token)
        before = [one for one in self.created[provision] if self.life.fleet.truth(one).ended_at is None]
        assert not before, f"{provision} was created twice: {before} and {pod.id}"
        self.created[provision].append(pod.id)
        self.life.ours[pod.id] = Mine(self.life.ordered[provision], call.at, ordered=provision)
        self.life.unwell.add(pod.id)

    def _check_act(self, call: Call) -> None:
        pod_id, at = str(call.pod_id), call.at
        truth = self.life.fleet.truth(pod_id)
        path = self._path(pod_id, call)
        mine = self.life.ours.get(pod_id)
        assert mine is not None, f"{truth.name} is somebody else's, and was ended by {path}"
        assert not self.life.is_on(PAUSED, at), f"{pod_id} was ended by {path} during a pause"
        self._rightful(path, truth, mine, at)
        if call.status in (200, 204):
            if call.operation == "terminate":
                self._ended[pod_id] += 1
                assert self._ended[pod_id] == 1, f"{pod_id} was ended twice"
            self.ends[path] += 1
        elif call.operation == "terminate" and truth.ended_at is None:
            self.refused.append((pod_id, at))

    def _path(self, pod_id: str, call: Call) -> str:
        deeds = self.life.database.read_now(lambda session: deeds_of(session, pod_id))
        stops = call.operation == "stop"
        acted = [one for one in deeds if one.attempted_at is not None and (one.path == Path.STOP) is stops]
        assert acted, f"{pod_id} was ended, and there is no deed"
        return acted[0].path

    def _rightful(self, path: str, truth: Truth, mine: Mine, at: datetime) -> None:
        policy, life, pod_id = self.life.pace.policy, self.life, truth.id
        started = truth.container_first_started_at
        never_started = started is None or started >= at
        if path in _KEEP_STOPS:
            assert not mine.covered(at), f"{pod_id} was ended by {path}, and was kept"
        if path in _ASKED:
            assert path in mine.wishes, f"{pod_id} was ended as a wish by {path}, which nobody had"
        match path:
            case Path.OWNER | Path.STOP:
                pass
            case Path.AGENT:
                assert mine.agent, f"{pod_id} was not made for the agent that ended it"
            case Path.ADMIN:
                told = _told(life, pod_id, "admin_ends")
                warned = any(at - one >= ADMIN_WARNING for one in told)
                assert warned or never_started, f"{pod_id} was ended by an admin, its owner not warned"
            case Path.NEVER_RAN:
                assert never_started, f"{pod_id} ran, and was ended as never run"
                assert at - truth.created_at > policy.never_ran_grace
                assert life.is_on(ARMED_NEVER_RAN, at)
            case Path.FENCE:
                assert mine.fence_at is not None, f"{pod_id} has no end of its own, and was ended by it"
                assert at >= mine.fence_at
                assert any(one <= at for one in _told(life, pod_id, "notice"))
            case Path.STALE:
                assert at - exited_at(truth) >= policy.stale_after, f"{pod_id} was not stale"
                told = _told(life, pod_id, "notice")
                assert any(at - one >= policy.stale_notice for one in told), f"{pod_id}: no notice"
                assert life.is_on(ARMED_STALE, at)
            case Path.PROVISION_TEARDOWN:
                assert mine.ordered is not None, f"{pod_id} was nobody's order, and torn down"
                assert never_started, f"{pod_id} was reached, and torn down"
            case _:
                assert path == Path.PROVISION_CANCEL
                assert mine.ordered in life.called_off, f"nobody had called off the order of {pod_id}"


def _told(life: Life, pod_id: str, kind: str) -> list[datetime]:
    return [one.at for one in life.taken.get(pod_id, ()) if one.kind == kind]


def exited_at(truth: Truth) -> datetime:
    """When it last stopped, in truth."""
    stops = [one.at for one in truth.transitions if one.what in ("stopped", "exited", "outbid", "error")]
    return stops[-1]
