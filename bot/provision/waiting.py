"""What a provision that waits for a person waits for, as a sentence."""

from sqlmodel import Session

from pods.provision.stages import UNDER_WAY, Stage
from pods.provision.value import Provision
from storage.ledger import ProvisionRecord
from storage.order_question import open_question

AWAY = "Podkeeper was away for over an hour while it was on its way"


def go_on_first(person: str, why: str) -> str:
    """Who has to press *Go on*, and why."""
    return f"<@{person}> has to press Go on first: {why}."


def waits_for(session: Session, found: ProvisionRecord, provision: Provision) -> str | None:
    """None: it waits for nobody."""
    if provision.stage is Stage.WISHED and (asked := open_question(session, found.id)):
        return go_on_first(asked.asked, str(asked.facts.get("why", "somebody has to say so")))
    if provision.asked_owner_at is not None and provision.stage in UNDER_WAY:
        return go_on_first(found.owner, AWAY)
    return None
