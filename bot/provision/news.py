"""The replies in a provision's thread: what happened, with the lines as other programs read them."""

from datetime import datetime

from sqlmodel import Session

from bot.provision.buttons import STILL_THERE, of_provision
from bot.provision.endings import sentence_of
from bot.provision.explaining import explanation
from bot.text import code, mention, section
from gateways.slack.protocol import Block
from jobs.outbox.kinds import Message
from pods.provision.outcomes import ENDINGS, PodFate
from pods.provision.stages import Stage
from pods.provision.value import Provision
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord, provision_of, record

_STAGES = {
    Stage.CREATING: "Looking for a free machine.",
    Stage.WAITING_RUNTIME: "A machine is rented; it is starting.",
    Stage.WAITING_SSH: "Its SSH port is there; waiting for the first login.",
    Stage.BOOTSTRAPPING: "I am logged in; the bootstrap runs.",
    Stage.PREFLIGHT: "The bootstrap went well; checking the pod.",
    Stage.BRANCH: "The checks have ended; reading the branch.",
    Stage.FAILED: "Nobody could ever reach this pod; it is being ended.",
    Stage.ENDED: "Called off before anybody reached the pod; it is being ended.",
}


def draw_news(session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """A stage that was reached, or lines that were said."""
    found = record(session, str(refs["provision"]))
    if found is None:
        return None
    said = _STAGES.get(Stage(str(refs["stage"])), "") if refs.get("stage") else ""
    text = "\n".join(part for part in (said, _lines(provision_of(found), refs)) if part)
    return Message(text, [section(text)]) if text else None


def draw_end(session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """How it ended: the one message that mentions whoever asked, and says what can be done now."""
    found = record(session, str(refs["provision"]))
    if found is None:
        return None
    provision = provision_of(found)
    if provision.outcome is None:
        return _tried_again(provision, refs)
    people = " ".join(map(mention, _whom(found, provision)))
    sentence = f"{people} {sentence_of(found, provision)}{_by_now(found, provision)}"
    parts = [sentence, explanation(session, provision), _lines(provision, refs)]
    blocks: list[Block] = [section(part) for part in parts if part]
    return Message(sentence, [*blocks, *of_provision(provision, found)])


def _by_now(found: ProvisionRecord, provision: Provision) -> str:
    """What the sentence says of the pod does not hold for ever."""
    stayed = provision.outcome is not None and ENDINGS[provision.outcome].pod in STILL_THERE
    return " (The pod is gone by now, and costs nothing any more.)" if stayed and found.name_freed_at else ""


def draw_damaged(session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """To the ops channel and the owner: what we wrote down of a launch cannot be read."""
    found = record(session, str(refs["provision"]))
    if found is None:
        return None
    pod = f"Its pod {code(found.pod_id)} may go on costing money" if found.pod_id else "It may have a pod"
    text = (
        f":warning: *I cannot read what I wrote down of the launch {code(found.name)}* ({code(found.id)}) of "
        f"{mention(found.owner)}. I leave it alone and end nothing because of it. {pod}: please look at it, "
        "and at the database."
    )
    return Message(text, [section(text)])


def draw_gone(session: Session, refs: JsonObject, _now: datetime) -> Message | None:
    """The end that was not confirmed has come."""
    found = record(session, str(refs["provision"]))
    if found is None:
        return None
    text = f"The pod of {code(found.name)} is gone now, read back. It costs nothing any more."
    return Message(text, [section(text)])


def _tried_again(provision: Provision, refs: JsonObject) -> Message | None:
    """The message was late: somebody has had it tried again already."""
    text = _lines(provision, refs)
    return Message(text, [section(text)]) if text else None


def _whom(found: ProvisionRecord, provision: Provision) -> list[str]:
    """The asker, for an agent its owner; whom the agent named; and the owner of a pod that is left alive."""
    people = [found.asker if found.agent is None else found.owner, found.notify]
    if provision.outcome is not None and ENDINGS[provision.outcome].pod is PodFate.LEFT:
        people.append(found.owner)
    return [user for user in dict.fromkeys(people) if user and user[:1] in "UW"]


def _lines(provision: Provision, refs: JsonObject) -> str:
    first, last = refs.get("from"), refs.get("to")
    if not isinstance(first, int) or not isinstance(last, int):
        return ""
    lines = [said.line for said in provision.lines[first:last]]
    return "```\n" + "\n".join(lines) + "\n```" if lines else ""
