"""The first message of a provision's thread, drawn anew as it moves: how far it is, what it costs."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.provision.buttons import of_provision
from bot.provision.costs import costs
from bot.provision.since import since_then
from bot.text import code, context, section, when, word
from gateways.slack.protocol import Block
from jobs.outbox.kinds import Message
from pods.provision.seen import Permit, Work
from pods.provision.stages import UNDER_WAY, Stage
from pods.provision.value import Provision
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord, provision_of, record
from storage.order_question import permit
from storage.person import person
from storage.run_log import tail

SHOWN_LINES = 6
_STEPS: tuple[tuple[str, frozenset[Stage]], ...] = (
    ("order", frozenset({Stage.WISHED})),
    ("machine", frozenset({Stage.CREATING})),
    ("start", frozenset({Stage.WAITING_RUNTIME})),
    ("login", frozenset({Stage.WAITING_SSH})),
    ("bootstrap", frozenset({Stage.BOOTSTRAPPING})),
    ("checks", frozenset({Stage.PREFLIGHT, Stage.BRANCH})),
    ("ready", frozenset({Stage.READY})),
)
_DOING = {
    Stage.WISHED: "about to be ordered",
    Stage.CREATING: "looking for a free machine",
    Stage.WAITING_RUNTIME: "the machine is starting",
    Stage.WAITING_SSH: "waiting for the first login",
    Stage.BOOTSTRAPPING: "the bootstrap runs",
    Stage.PREFLIGHT: "the preflight checks the pod",
    Stage.BRANCH: "reading the branch on the pod",
    Stage.READY: "ready",
    Stage.FAILED: "failed",
    Stage.ENDED: "over",
}
_WORK = {Stage.BOOTSTRAPPING: Work.BOOTSTRAP, Stage.PREFLIGHT: Work.PREFLIGHT}


def draw_head(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """The head as it is now."""
    found = record(session, str(refs["provision"]))
    if found is None:
        return None
    provision = provision_of(found)
    since = since_then(session, provision)
    state = f"*{since.word}*, seen {when(since.at)}." if since else _state(session, found, provision, now)
    blocks: list[Block] = [section(_title(session, found, provision)), section(state)]
    if last := _last_lines(session, provision):
        blocks.append(section(last))
    blocks.append(context(since.costs if since else costs(session, found, provision, now)))
    text = f"{provision.order.name}: {since.word if since else _DOING[provision.stage]}"
    if instead := refs.get("instead_of"):
        why_here = f"I am not a member of <#{instead}>, so I tell you here."
        blocks.append(context(why_here))
        text = f"{text}. {why_here}"
    if since is None or not since.is_gone:
        blocks += of_provision(provision, found, is_stopped=since is not None)
    return Message(text, blocks)


def _title(session: Session, found: ProvisionRecord, provision: Provision) -> str:
    order = provision.order
    gpu = provision.pod.gpu if provision.pod else " or ".join(order.gpus)
    task = f", for {code(order.task)}" if order.task else ""
    owner = _name(session, found.owner)
    by = f"the agent {code(found.agent)} of {owner}" if found.agent else _name(session, found.asker)
    return f"*{code(order.name)}*: {order.count} x {code(gpu)}{task}, asked for by {by}"


def _name(session: Session, user: str) -> str:
    """Plain, for a mention would notify: that happens once, at the end."""
    known = person(session, user)
    return word(known.name) if known and known.name else "somebody"


def _state(session: Session, found: ProvisionRecord, provision: Provision, now: datetime) -> str:
    doing = _doing(session, found, provision)
    since = now - provision.stage_since
    if provision.stage in UNDER_WAY:
        took = f" for {span_in_words(since)}" if since >= timedelta(seconds=1) else ""
        total = span_in_words(now - provision.wished_at)
        gives_up = f" Gives up waiting {when(provision.deadline)}." if provision.deadline else ""
        return f"{_progress(provision.stage)}\n*{doing}*{took}; {total} altogether.{gives_up}"
    return f"*{doing}*, {when(provision.stage_since)}."


def _doing(session: Session, found: ProvisionRecord, provision: Provision) -> str:
    if provision.stage in UNDER_WAY and provision.cancelled_at is not None:
        return "being called off"
    if provision.stage is Stage.WISHED and permit(session, found.id) is Permit.ASKED:
        return "waiting for somebody to press *Go on*"
    if provision.asked_owner_at is not None and provision.stage in UNDER_WAY:
        return "I was away for long; waiting for its owner to say whether to go on"
    retry_at = provision.capacity.retry_at
    if provision.stage is Stage.CREATING and retry_at is not None:
        return f"no machine is free; next try {when(retry_at)}"
    return _DOING[provision.stage]


def _progress(stage: Stage) -> str:
    at = next(place for place, (_, stages) in enumerate(_STEPS) if stage in stages)
    shown = [f":white_check_mark: {name}" for name, _ in _STEPS[:at]]
    here = f":hourglass_flowing_sand: *{_STEPS[at][0]}*"
    return "  ".join([*shown, here, *(name for name, _ in _STEPS[at + 1 :])])


def _last_lines(session: Session, provision: Provision) -> str | None:
    work = _WORK.get(provision.stage)
    if work is None:
        return None
    known = tail(session, provision.id, provision.run, work)
    last = [line for line in known.text.splitlines() if line.strip()][-SHOWN_LINES:] if known else []
    return "```" + "\n".join(code(line, 160).strip("`") for line in last) + "```" if last else None
