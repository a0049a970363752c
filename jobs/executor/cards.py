"""An agent's end that the agent may not decide by itself becomes a question to the pod's owner."""

from datetime import datetime

from sqlmodel import Session

from jobs.executor.facts import standing
from jobs.house import House
from pods.exit_codes import ExitCode
from storage.agent_request import update_request
from storage.columns import JsonObject
from storage.deed import Deed
from storage.keys import new_key
from storage.outbox import Letter, send
from storage.question import Question, ask, shown_in
from storage.trail import Event, record

CARD = "card"


def put_to_owner(session: Session, house: House, refused: Deed, why: str, now: datetime) -> None:
    """Ask the owner, and let the agent's request say that he was asked."""
    pod = standing(session, refused.pod_id, now, house.policy)
    if pod is None or pod.whose.owner is None or refused.agent is None:
        return
    owner = pod.whose.owner
    card = Question(
        id=new_key(),
        kind=CARD,
        pod_id=refused.pod_id,
        fingerprint=pod.fingerprint,
        reason="agent_asks",
        asked=owner,
        opened_at=now,
        expires_at=now + house.answers.expires,
        asked_by=refused.actor,
        facts={"why": why, "agent": refused.agent, "said": refused.reason},
    )
    if ask(session, card):
        letter = Letter(f"card/{card.id}", owner, CARD, {"question": card.id})
        shown_in(session, card.id, send(session, letter, now))
        told: JsonObject = {"question": card.id, "asked": owner, "why": why}
        record(session, Event(now, refused.actor, "question.asked", refused.pod_id, told))
    request = refused.evidence.get("request")
    if isinstance(request, str):
        update_request(
            session,
            refused.agent,
            request,
            now,
            state="asked",
            exit_code=ExitCode.ASKED,
            text=f"<@{owner}> was asked, because {why}.",
            asked=owner,
            deed_id=None,
        )
