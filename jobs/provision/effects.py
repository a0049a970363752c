"""Doing what was decided: one short thing outside, and its answer as a fact of the pass."""

from dataclasses import dataclass
from typing import TypedDict, assert_never

from gateways.runpod.errors import RunPodError
from gateways.runpod.logs import LogSource
from jobs.house import House
from jobs.provision import creating
from jobs.provision.knocking import knock
from jobs.provision.working import Site
from pods.ids import PodId
from pods.provision.effects import (
    AskOwner,
    Create,
    Effect,
    Poll,
    ProbeSsh,
    ReadBranch,
    ReadSystemLog,
    SetFence,
    Start,
    StopWork,
    Teardown,
)
from pods.provision.seen import (
    Branch,
    CleanUp,
    Created,
    Lost,
    NotSent,
    Probe,
    Refused,
    Remote,
    Started,
    SystemLog,
)
from pods.provision.value import Fence, Provision
from pods.snapshot import SshEndpoint
from storage.pod import note_progress


class Answer(TypedDict, total=False):
    """The fields of `Seen` that an effect fills."""

    create: Created | Refused | NotSent | Lost
    fence: Fence
    probe: Probe
    system_log: SystemLog
    started: Started
    remote: Remote
    branch: Branch
    work_stopped: bool
    clean_up: CleanUp


@dataclass(frozen=True, slots=True)
class Hands:
    """Reaches outside. Whatever cannot be done has an answer too."""

    house: House

    async def do(self, effect: Effect, provision: Provision, owner: str) -> Answer:
        """Do it once. `SetFence`, `Teardown` and `AskOwner` are rows, and done when the row is written."""
        match effect:
            case Create():
                return {"create": await creating.send(self.house, provision, effect, owner)}
            case ProbeSsh(host, port):
                return {"probe": await knock(self.house, _pod_id(provision), SshEndpoint(host, port))}
            case ReadSystemLog(pod_id):
                return {"system_log": await self._system_log(pod_id)}
            case Start(work, run):
                return {"started": await self._site(provision).start(work, run)}
            case Poll(work, run):
                return {"remote": await self._site(provision).poll(work, run)}
            case ReadBranch(run):
                return {"branch": await self._site(provision).branch(run)}
            case StopWork(work, run):
                return {"work_stopped": await self._site(provision).stop(work, run)}
            case SetFence() | Teardown() | AskOwner():
                return {}
            case _:
                assert_never(effect)

    def _site(self, provision: Provision) -> Site:
        return Site(self.house, provision, _pod_id(provision))

    async def _system_log(self, pod_id: str) -> SystemLog:
        try:
            lines = await self.house.runpod.logs(pod_id, LogSource.SYSTEM, tail=20)
        except RunPodError:
            return SystemLog(None)
        newest = max((line.at for line in lines if line.at is not None), default=None)
        if newest is not None:
            await self.house.db.run(lambda session: note_progress(session, PodId(pod_id), newest))
        return SystemLog(newest)


def _pod_id(provision: Provision) -> str:
    if provision.pod is None:
        raise ValueError("this is done on a pod, and the provision has none")
    return provision.pod.pod_id
