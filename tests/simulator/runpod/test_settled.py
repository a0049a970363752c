"""A pod that has come to rest is shown from what is kept of it: as if nobody had looked before."""

import asyncio
from datetime import timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator.runpod.fleet import Fleet
from simulator.runpod.history import rent
from simulator.runpod.pod import Pod
from simulator.runpod.refusal import RefusedError
from simulator.runpod.shown import pod_v2
from tests.world import HandClock

SECONDS = st.sampled_from([None, 0, 30, 400])
PLANS = st.fixed_dictionaries(
    {},
    optional={
        "stuck_in": st.sampled_from([None, "PROVISIONING", "STARTING", "RUNNING"]),
        "container_dies_after_s": SECONDS,
        "exits_after_s": SECONDS,
        "error_after_s": SECONDS,
        "ports_s": SECONDS,
        "stale_runtime_s": st.sampled_from([0, 300]),
        "runtime_null_s": st.sampled_from([0, 200]),
        "runtime_empty_s": st.sampled_from([0, 200]),
        "runtime_nulls": st.sampled_from([0, 2]),
        "runtime": st.sampled_from(["true", "null", "empty"]),
        "ssh_direct": st.sampled_from(["with_runtime", "by_itself"]),
        "unreadable": st.sampled_from(["no", "fields", "types"]),
        "terminate_takes_s": st.sampled_from([0, 300]),
        "terminated_listed_s": st.sampled_from([0, 900]),
        "terminating_shows": st.sampled_from(["unchanged", "TERMINATED"]),
    },
)
HAPPENINGS = st.lists(
    st.sampled_from(
        [
            "wait",
            "wait long",
            "stop",
            "start",
            "restart",
            "lock",
            "unlock",
            "terminate",
            "nulls",
            "no nulls",
            "kept",
        ]
    ),
    min_size=4,
    max_size=12,
)


def happen(what: str, fleet: Fleet, clock: HandClock, pod: Pod) -> None:
    switches = fleet.account.switches
    match what:
        case "wait" | "wait long":
            asyncio.run(clock.pass_by(timedelta(seconds=70 if what == "wait" else 1000)))
        case "lock" | "unlock":
            fleet.lock(pod.id, what == "lock", "somebody")
        case "nulls" | "no nulls":
            switches.null_runtime_data_centers = frozenset({"*"} if what == "nulls" else ())
        case "kept":
            switches.exited_cost_kept = not switches.exited_cost_kept
        case _:
            {
                "stop": fleet.stop,
                "start": fleet.start,
                "restart": fleet.restart,
                "terminate": fleet.terminate,
            }[what](pod.id, "somebody")


@settings(max_examples=100)
@given(PLANS, HAPPENINGS)
@example({"runtime_empty_s": 200}, ["wait"] * 5)
@example({"runtime_nulls": 2}, ["wait long", "wait long", "wait"])
@example({"stale_runtime_s": 300}, ["stop", *["wait"] * 6])
def test_what_is_kept_shows_what_a_first_look_shows(plan: dict[str, object], happenings: list[str]) -> None:
    clock = HandClock()
    fleet = Fleet(clock)
    pod = rent(fleet, "train", pull_s=0, **plan)  # type: ignore[arg-type]
    happen("wait", fleet, clock, pod)

    for what in happenings:
        try:
            happen(what, fleet, clock, pod)
        except RefusedError:
            continue
        now, nulls_left = fleet.look(), pod.nulls_left
        kept = pod_v2(pod, now, fleet.account.switches)
        pod.settled, pod.seen, pod.runtime_seen, pod.nulls_left = None, None, None, nulls_left
        assert kept == pod_v2(pod, now, fleet.account.switches)


def test_a_pod_at_rest_is_kept() -> None:
    clock = HandClock()
    fleet = Fleet(clock)
    pod = rent(fleet, "train")
    asyncio.run(clock.pass_by(timedelta(hours=1)))

    pod_v2(pod, fleet.look(), fleet.account.switches)

    assert pod.settled is not None
