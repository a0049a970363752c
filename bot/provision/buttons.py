"""The buttons below a provision: what can be done about it now. Each carries the id of one row."""

from bot.text import actions, button
from gateways.slack.protocol import Block
from pods.provision.events import can_retry
from pods.provision.outcomes import ENDINGS, PodFate
from pods.provision.stages import UNDER_WAY
from pods.provision.value import Provision
from storage.ledger import ProvisionRecord

STILL_THERE = frozenset({PodFate.LIVES, PodFate.LEFT, PodFate.KEPT})
_FOR = (("3 days", "3d"), ("1 week", "1w"), ("another time…", "other"))


def of_provision(provision: Provision, found: ProvisionRecord, *, is_stopped: bool = False) -> list[Block]:
    """*Call off* while it is under way; afterwards what its pod allows."""
    if provision.stage in UNDER_WAY:
        return (
            [] if provision.cancelled_at else [actions(button("Call off", "provision_cancel", provision.id))]
        )
    pod, outcome = provision.pod, provision.outcome
    if outcome is None or pod is None or ENDINGS[outcome].pod not in STILL_THERE or found.name_freed_at:
        return []
    running = [button("Stop", "pod_stop", pod.pod_id)]
    if can_retry(provision):
        running.insert(0, button("Retry bootstrap", "provision_retry", provision.id))
    terminate = button("Terminate", "pod_terminate", pod.pod_id, "danger")
    return [
        actions(*([] if is_stopped else running), terminate),
        {**actions(_keep_for()), "block_id": pod.pod_id},
    ]


def _keep_for() -> Block:
    return {
        "type": "static_select",
        "action_id": "pod_keep",
        "placeholder": {"type": "plain_text", "text": "Keep for…"},
        "options": [{"text": {"type": "plain_text", "text": text}, "value": value} for text, value in _FOR],
    }
