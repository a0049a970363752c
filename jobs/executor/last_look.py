"""The last look at a pod that is said never to have run: any sign of life spares it, for good."""

from dataclasses import dataclass

from gateways.runpod.errors import RunPodError
from gateways.runpod.logs import LogSource
from gateways.ssh.client import probe
from gateways.ssh.results import Banner, PortTimedOut, Probe
from jobs.house import House
from pods.guards import Path
from pods.has_run import Sign
from pods.snapshot import Snapshot

LOOKED_AT = frozenset({Path.NEVER_RAN, Path.PROVISION_TEARDOWN, Path.PROVISION_CANCEL})
"""The paths that end a pod because nobody was ever on it."""
CONNECT_SECONDS = 5.0
LOG_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class LastLook:
    """What it showed. What cannot be read proves nothing either way."""

    signs: frozenset[Sign] = frozenset()
    timed_out: bool = False
    """The mapped port did not answer, which may be our own network."""

    @property
    def banner(self) -> bool:
        """An SSH server answered."""
        return Sign.BANNER in self.signs


NOTHING = LastLook()


async def last_look(house: House, path: str, seen: Snapshot) -> LastLook:
    """One connect to port 22 if it is mapped; for the watcher also the end of the container's log."""
    if path not in LOOKED_AT:
        return NOTHING
    answer = await _knock(seen)
    signs = {Sign.BANNER} if isinstance(answer, Banner) else set[Sign]()
    if path == Path.NEVER_RAN:
        if seen.shows_life or seen.ssh is not None:
            signs.add(Sign.RUNTIME)
        if await _container_wrote(house, seen.pod_id):
            signs.add(Sign.CONTAINER_LOG)
    return LastLook(frozenset(signs), timed_out=isinstance(answer, PortTimedOut))


async def _knock(seen: Snapshot) -> Probe | None:
    return await probe(seen.ssh, seconds=CONNECT_SECONDS) if seen.ssh else None


async def _container_wrote(house: House, pod_id: str) -> bool:
    try:
        lines = await house.runpod.logs(pod_id, LogSource.CONTAINER, tail=1, seconds=LOG_SECONDS)
    except RunPodError:
        return False
    return any(line.source is LogSource.CONTAINER for line in lines)
