"""Reminders of a state that goes on, to its owner and to the ops channel. One that is over says nothing."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.alerts.pods import called, costs, is_gone
from bot.fleet.views import view
from bot.text import actions, button, code, mention, section, when
from gateways.slack.protocol import Block
from jobs.outbox.kinds import UNDELIVERABLE, Message
from pods.hearing import State
from pods.provision.stages import UNDER_WAY
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.history import history
from storage.ledger import record
from storage.verdict import current_verdicts

_REASONS = {
    State.NEVER_RAN: frozenset(
        {
            "never_ran",
            "never_ran_kept",
            "never_ran_unproved",
            "never_ran_unwatched",
            "clock_doubtful",
            "witness_out",
        }
    ),
    State.ERROR: frozenset({"error_state", "not_ours"}),
    State.LOST_RUNTIME: frozenset({"lost_runtime"}),
    State.PROVISION_FAILED: frozenset({"provision_failed"}),
    State.STALE: frozenset({"stale"}),
}
"""The verdicts' reasons under which a state still holds."""

_DOINGS = "You can `/pod keep`, `/pod stop` or `/pod terminate` it."


def reminder(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """To the owner, or whoever asked for it."""
    state, pod_id = State(str(refs["state"])), str(refs["subject"])
    if not _still(session, state, pod_id):
        return None
    asked = " I have asked you above what should happen to it." if refs.get("question") else f" {_DOINGS}"
    about = _sentence(session, state, pod_id, refs, now)
    return for_owner(refs, f"{about} {costs(session, pod_id, now)}{asked}")


def pod_state(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """To the ops channel. A pod that is nobody's can be taken."""
    state, pod_id = State(str(refs["state"])), str(refs["subject"])
    if not _still(session, state, pod_id):
        return None
    owner = refs.get("owner")
    whose = f"{mention(str(owner))}: " if owner else ""
    text = f"{whose}{_sentence(session, state, pod_id, refs, now)} {costs(session, pod_id, now)}"
    if owner:
        return Message(text, [section(text)])
    by_now = view(session, pod_id, now, timedelta(0))
    if by_now is not None and by_now.owner is not None:
        text += f" By now {mention(by_now.owner)} says that it is theirs."
        return Message(text, [section(text)])
    text += " Nobody has said that it is theirs."
    return Message(text, [section(text), actions(button("Mine", "claim", pod_id))])


def unfenced(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """It runs without an end."""
    pod_id = str(refs["subject"])
    past = history(session, pod_id)
    if is_gone(session, pod_id) or past is None or past.episode.phase != "running":
        return None
    since = span_in_words(now - _since(refs))
    text = (
        f"{called(session, pod_id)} has been running for {since} and does not end by itself. "
        f"{costs(session, pod_id, now)} {_DOINGS}"
    )
    return for_owner(refs, text)


def create_unknown(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """Nobody knows whether a create call made a pod."""
    provision = record(session, str(refs["subject"]))
    if provision is None or provision.pod_id is not None or provision.stage not in UNDER_WAY:
        return None
    text = (
        f"RunPod has not answered {span_in_words(now - _since(refs))} long whether it made "
        f"{code(provision.name)}. There may be a pod, and it may cost money. I go on looking for it and tell "
        "you as soon as I know."
    )
    return for_owner(refs, text)


def _sentence(session: Session, state: State, pod_id: str, refs: JsonObject, now: datetime) -> str:
    pod, since = called(session, pod_id), _since(refs)
    span = span_in_words(now - since)
    match state:
        case State.NEVER_RAN:
            return f"{pod} was rented {span} ago and nothing ever ran on it."
        case State.ERROR:
            return f"RunPod has called {pod} broken for {span}."
        case State.LOST_RUNTIME:
            return f"{pod} ran before, and has shown nothing that runs on it for {span}."
        case State.PROVISION_FAILED:
            return f"Setting up {pod} failed {span} ago, and nobody has decided what should happen to it."
        case State.STALE:
            return f"{pod} is stopped; I asked about it first at {when(since)}."
        case _:
            return f"{pod}: {state}."


def _still(session: Session, state: State, pod_id: str) -> bool:
    current = current_verdicts(session).get(pod_id)
    return current is not None and current.reason in _REASONS[state] and not is_gone(session, pod_id)


def _since(refs: JsonObject) -> datetime:
    return datetime.fromisoformat(str(refs["since"]))


def for_owner(refs: JsonObject, text: str) -> Message:
    """A message as it is for its person; in the ops channel it says whom it could not reach."""
    unreachable = refs.get(UNDELIVERABLE)
    said = f"{text}\nI could not reach {mention(str(unreachable))} about this." if unreachable else text
    blocks: list[Block] = [section(said)]
    return Message(said, blocks)
