"""What an agent has to do with a pod: made by its own provision, its owner's, or none of its business."""

from bot.agents.door import Call
from bot.agents.problems import Code, ProblemError
from pods.ids import PodId, ProvisionId
from pods.ownership import Ownership, ownership
from storage.claim import statements
from storage.ledger import ledger_records
from storage.made_for_agent import made_for_agent


def standing(call: Call, pod_id: str) -> Ownership:
    """Whose the pod is now, by the evidence that counts."""
    pod = PodId(pod_id)
    ledger = ledger_records(call.session, pod_id).get(pod)
    said = statements(call.session, pod_id).get(pod, [])
    return ownership(pod, ledger, said, call.now, call.rules.claim_settle)


def made_by(call: Call, pod_id: str) -> ProvisionId | None:
    """The provision of this very agent, for its present owner, that made this pod."""
    return made_for_agent(call.session, pod_id, call.agent.name, call.agent.owner)


def must_have_made(call: Call, pod_id: str) -> ProvisionId:
    """The provision that made it. Raises ProblemError(forbidden) if it was not this agent's."""
    made = made_by(call, pod_id)
    if made is None:
        raise ProblemError(
            Code.FORBIDDEN, f"The pod {pod_id} was not provisioned by this agent; ask its owner instead."
        )
    return made


def must_be_its_owners(call: Call, pod_id: str) -> None:
    """Raises ProblemError(forbidden) unless the agent's owner has, or says to have, this pod."""
    if made_by(call, pod_id):
        return
    whose = standing(call, pod_id)
    owners = {whose.owner} if whose.owner else set(whose.claimants)
    if call.agent.owner not in owners:
        raise ProblemError(
            Code.FORBIDDEN,
            f"The pod {pod_id} is not known to be this agent's owner's; say run.launched for it first.",
        )
