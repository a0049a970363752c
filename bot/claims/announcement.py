"""An announced claim: who says so, what has happened to it since, what can be said against it."""

from collections.abc import Sequence
from datetime import datetime

from bot.approvals.words import which
from bot.fleet.views import PodView
from bot.text import actions, button, code, mention, section, when
from gateways.slack.protocol import Block
from jobs.outbox.kinds import Message
from pods.ids import UserId
from pods.ownership import Claim, Confirmation, Give, Grade, Objection, Ruling, Statement, Withdrawal
from storage.columns import JsonObject


def announcement(
    claim_id: str,
    claimed: Claim,
    pod: PodView | None,
    said: Sequence[Statement],
    refs: JsonObject,
    now: datetime,
) -> Message:
    agent = refs.get("agent")
    by = f" (said by the agent {code(str(agent))})" if agent else ""
    pod_line = which(pod, now) if pod else f"The pod {code(str(claimed.pod_id))}, which I have not seen yet"
    text = f"{mention(claimed.owner)} says that this pod is theirs{by}.\n{pod_line}"
    told = _since(claimed, pod, said)
    open_ = pod is not None and pod.gone_at is None and claimed.owner in pod.whose.claimants
    in_conflict = pod is not None and pod.whose.grade is Grade.CONFLICTING
    settled = pod is not None and pod.whose.may_end
    buttons: list[Block] = []
    if open_ and (in_conflict or decision_for(said, claimed.owner) is None):
        buttons = [button("Not theirs", "claim_object", claim_id)]
        if not settled:
            buttons.append(button("Confirm", "claim_confirm", claim_id))
    lines = [text, *told]
    blocks = [section("\n".join(lines)), *([actions(*buttons)] if buttons else [])]
    return Message("\n".join(lines), blocks)


def decision_for(said: Sequence[Statement], owner: UserId) -> Confirmation | Ruling | None:
    """The word of an admin who has confirmed the owner's present claim or decided for it; the latest.

    It is void once the owner has withdrawn or given the pod away, or an admin decided for somebody else.
    """
    decided: Confirmation | Ruling | None = None
    for one in said:
        match one:
            case Confirmation(owner=of) | Ruling(owner=of) if of == owner:
                decided = one
            case Ruling():
                decided = None
            case Withdrawal(owner=of) | Give(giver=of) if of == owner:
                decided = None
            case _:
                pass
    return decided


def _since(claimed: Claim, pod: PodView | None, said: Sequence[Statement]) -> list[str]:
    """What has happened to the claim since."""
    told = [
        f"{mention(one.by)} says that it is not {mention(one.owner)}'s."
        for one in said
        if isinstance(one, Objection) and one.owner == claimed.owner
    ]
    told += [
        f"{mention(one.by)} decided: it is {mention(one.owner)}'s."
        for one in said
        if isinstance(one, Ruling | Confirmation)
    ]
    if pod is None:
        return told
    if pod.gone_at is not None:
        return [*told, "It is gone by now."]
    if claimed.owner not in pod.whose.claimants:
        return [*told, f"{mention(claimed.owner)} does not have it any more."]
    if pod.whose.grade is Grade.CONFLICTING:
        others = " and ".join(mention(user) for user in pod.whose.claimants if user != claimed.owner)
        return [
            *told,
            f"{others} says so too. Nothing ends it until one of them withdraws or an admin decides.",
        ]
    if pod.whose.may_end_from is not None:
        return [*told, f"Without an objection they can end it from {when(pod.whose.may_end_from)} on."]
    return told
