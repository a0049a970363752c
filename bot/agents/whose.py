"""What an agent has to do with a pod: made by its own provision, its owner's, or none of its business."""

from bot.agents.door import Call
from bot.agents.problems import Code, ProblemError
from pods.ids import PodId
from pods.ownership import Ownership, ownership
from storage.claim import statements
from storage.ledger import ProvisionRecord, ledger_records, record_of_pod


def standing(call: Call, pod_id: str) -> Ownership:
    """Whose the pod is now, by the evidence that counts."""
    pod = PodId(pod_id)
    ledger = ledger_records(call.session, pod_id).get(pod)
    said = statements(call.session, pod_id).get(pod, [])
    return ownership(pod, ledger, said, call.now, call.rules.claim_settle)


def made_by(call: Call, pod_id: str) -> ProvisionRecord | None:
    """The provision of this very agent, for its present owner, that made this pod."""
    found = record_of_pod(call.session, pod_id)
    mine = found is not None and found.agent == call.agent.name and found.owner == call.agent.owner
    return found if mine else None


def must_have_made(call: Call, pod_id: str) -> None:
    """Raises ProblemError(forbidden) for a pod that this agent did not provision."""
    if made_by(call, pod_id) is None:
        raise ProblemError(
            Code.FORBIDDEN, f"The pod {pod_id} was not provisioned by this agent; ask its owner instead."
        )


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
