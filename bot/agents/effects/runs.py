"""`run.launched`, `run.heartbeat`, `run.finished`: claims for the agent's owner, and signs of life."""

from bot.agents.door import Call, Done
from bot.agents.events import RunLaunched, RunNews
from bot.agents.whose import must_be_its_owners
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from storage.claim import say, statements
from storage.columns import JsonObject
from storage.keep import Heartbeat, beat
from storage.outbox import Letter, send
from storage.trail import Event, record
from storage.whose_messages import announcement_name


def launched(call: Call, data: RunLaunched) -> Done:
    """The pod becomes claimed for the agent's owner, which is announced. Said once, it is not said again:
    what people have answered to it since stands."""
    pod, owner = PodId(data.pod_id), UserId(call.agent.owner)
    earlier = statements(call.session, pod).get(pod, [])
    if any(isinstance(said, Claim) and said.owner == owner for said in earlier):
        return Done(text="That was said before; it stands as people have answered it.", pod_id=pod)
    claim_id = say(call.session, Claim(pod, owner, call.now, ClaimSource.AGENT))
    told: JsonObject = {"owner": owner, "claim": claim_id, "request": call.id}
    record(call.session, Event(call.now, call.actor, "pod.claimed", pod, told))
    facts: JsonObject = {"claim": claim_id, "pod": pod, "owner": owner, "agent": call.agent.name}
    send(
        call.session,
        Letter(announcement_name(claim_id), call.rules.ops_channel, "claim_announced", facts),
        call.now,
    )
    return Done(text=f"Claimed for <@{owner}>, and announced.", pod_id=pod, wakes=("outbox",))


def heartbeat(call: Call, data: RunNews) -> Done:
    """The agent lives. It says nothing about the pod."""
    must_be_its_owners(call, data.pod_id)
    beat(call.session, Heartbeat(data.pod_id, call.agent.name, call.now))
    return Done(pod_id=data.pod_id)


def finished(call: Call, data: RunNews) -> Done:
    """The agent has done with the pod. A claim does not end by that."""
    must_be_its_owners(call, data.pod_id)
    beat(call.session, Heartbeat(data.pod_id, call.agent.name, call.now, finished_at=call.now))
    record(call.session, Event(call.now, call.actor, "run.finished", data.pod_id, {"request": call.id}))
    return Done(pod_id=data.pod_id)
