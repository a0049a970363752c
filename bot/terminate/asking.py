"""Somebody wants somebody else's pod ended or stopped: its owner is asked, and decides."""

from sqlmodel import Session

from bot.fleet.views import PodView
from bot.slack.heard import Answerable
from bot.standing import fingerprint_now
from bot.terminate.confirmation import PAST, Act
from bot.text import mention, word
from jobs.house import House
from storage.columns import JsonObject
from storage.keys import key_from
from storage.outbox import Letter, send
from storage.question import Question, ask, shown_in
from storage.trail import Event, record

REASON = "person_asks"


def put_to_owner(
    session: Session, house: House, by: Answerable, act: Act, pod: PodView, owner: str, reason: str | None
) -> str:
    """Open the question about this act, once for each state of the pod. Returns what the asker is told."""
    now = house.clock.now()
    question = Question(
        id=key_from(f"asked {by.key}"),
        kind="card",
        pod_id=pod.pod_id,
        fingerprint=fingerprint_now(session, pod.pod_id, pod.whose),
        reason=REASON,
        asked=owner,
        asked_by=by.user,
        opened_at=now,
        expires_at=now + house.answers.expires,
        facts={"said": reason, "act": act},
    )
    name = f"*{word(pod.name)}*"
    if not ask(session, question):
        return (
            f"{name} is {mention(owner)}'s, and there is an open question about it already. Nothing was done."
        )
    card = Letter(f"card/{question.id}", owner, "card", {"question": question.id})
    shown_in(session, question.id, send(session, card, now))
    told: JsonObject = {"question": question.id, "asked": owner, "said": reason, "act": act}
    record(session, Event(now, by.user, "question.asked", pod.pod_id, told))
    return f"{name} is {mention(owner)}'s. I have asked them; nothing is {PAST[act]} without their yes."
