"""Which event does what: the whole power of an agent on one page."""

from bot.agents.door import Call, Done
from bot.agents.effects import ends, keeps, notes, provisions, runs
from bot.agents.events import (
    Note,
    PodKeep,
    PodProvision,
    PodTerminate,
    PodTerminated,
    PodUnkeep,
    ProvisionAct,
    RunLaunched,
    RunNews,
)
from bot.provision.terms import Priced


def do(call: Call, priced: Priced | None) -> Done:
    """The effect of one event. `priced`: the order of a `pod.provision`, looked up before the transaction.

    Raises ProblemError if it is refused; then nothing may be kept of the transaction.
    """
    match call.event.type, call.event.data:
        case "run.launched", RunLaunched() as data:
            return runs.launched(call, data)
        case "run.heartbeat", RunNews() as data:
            return runs.heartbeat(call, data)
        case "run.finished", RunNews() as data:
            return runs.finished(call, data)
        case "pod.keep", PodKeep() as data:
            return keeps.keep(call, data)
        case "pod.unkeep", PodUnkeep() as data:
            return keeps.unkeep(call, data)
        case "pod.provision", PodProvision() as data if priced is not None:
            return provisions.provision(call, data, priced)
        case "provision.cancel", ProvisionAct() as data:
            return provisions.cancel(call, data)
        case "provision.retry", ProvisionAct() as data:
            return provisions.retry(call, data)
        case "pod.terminate", PodTerminate() as data:
            return ends.terminate(call, data)
        case "pod.terminated", PodTerminated() as data:
            return ends.terminated(call, data)
        case "note", Note() as data:
            return notes.note(call, data)
        case unknown, _:
            raise AssertionError(f"an event of type {unknown} came through the door without an effect")
