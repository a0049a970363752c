"""Starting a stopped pod: the intent is written down first, then RunPod is called once."""

from bot.fleet.views import PodView
from bot.slack.answering import Declined
from bot.text import per_hour, word
from gateways.runpod.errors import AnswerUnknown, RunPodError
from jobs.house import House
from pods.phase import Phase, Status
from pods.snapshot import Snapshot
from storage.trail import Event, record


async def start(house: House, pod: PodView, by: str) -> str:
    """Returns what the person is told. Raises Declined if RunPod will not."""
    name = f"*{word(pod.name)}*"
    if pod.phase is not Phase.EXITED and not await is_stopped(house, pod):
        raise Declined(f"{name} is not stopped, so there is nothing to start.")
    now = house.clock.now()
    await house.db.run(lambda session: record(session, Event(now, by, "pod.start_asked", pod.pod_id, {})))
    try:
        await house.runpod.start(pod.pod_id)
    except AnswerUnknown as error:
        return f"RunPod did not say whether it starts {name} ({error.sentence}). `/pod list` will show it."
    except RunPodError as error:
        raise Declined(f"{name} was not started: {error.sentence}.") from error
    house.wakes.wake("observe")
    stopped = f" ({per_hour(pod.usd_per_hour)} while stopped)" if pod.usd_per_hour else ""
    return f"{name} starts; it costs money again from now on{stopped}."


async def is_stopped(house: House, pod: PodView) -> bool:
    """What RunPod says now: it may have stopped since the last listing."""
    try:
        seen = await house.runpod.get_pod(pod.pod_id)
    except RunPodError:
        return False
    return isinstance(seen, Snapshot) and seen.status is Status.EXITED
