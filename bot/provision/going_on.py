"""The question whether an order may go on, and its *Go on*."""

from datetime import datetime

from sqlmodel import Session

from bot.slack.answering import Declined, answer
from bot.slack.heard import Click
from bot.text import actions, button, code, mention, section, when
from jobs.house import House
from jobs.outbox.kinds import Message
from jobs.provision.people import ask_about, behind
from pods.provision.effects import Question as About
from pods.provision.stages import Stage
from pods.words import span_in_words
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord, provision_of, record
from storage.outbox import redraw
from storage.person import may_rent
from storage.provision_asks import look_again, say_go_on
from storage.provision_question import GO_ON
from storage.question import Question, QuestionState, copies, decide, question
from storage.trail import Event
from storage.trail import record as record_event

ACTION = "order_go_on"
_CLOSED = {
    QuestionState.EXPIRED: "Nobody said so in time: it does not go on.",
    QuestionState.VOID: "This does not matter any more.",
}


def draw_question(session: Session, refs: JsonObject, now: datetime) -> Message | None:
    """The question, or what came of it."""
    found = question(session, str(refs["question"]))
    if found is None:
        return None
    text = f"{_question(session, found, now)}\n{_state(found)}".strip()
    answerable = found.state is QuestionState.OPEN
    more = [actions(button("Go on", ACTION, found.id, "primary"))] if answerable else []
    return Message(text, [section(text), *more])


def _question(session: Session, found: Question, now: datetime) -> str:
    ordered = _ordered(session, found)
    name = code(ordered.name) if ordered else "an order"
    if found.reason == About.GO_ON_AFTER_GAP:
        since = f" ({span_in_words(now - found.opened_at)} ago)" if now > found.opened_at else ""
        return f"I was away for over an hour while {name} was on its way{since}. Shall I go on with it?"
    what = ""
    if ordered is not None:
        order = provision_of(ordered).order
        what = f" ({order.count} x {code(' or '.join(order.gpus))})"
    return f"{name}{what} waits for you: {found.facts.get('why', 'somebody has to say so')}."


def _state(found: Question) -> str:
    if found.state is QuestionState.OPEN:
        return f"Without an answer it lapses {when(found.expires_at)}." if found.expires_at else ""
    if found.state is QuestionState.DECIDED and found.decided_by:
        return f"{mention(found.decided_by)} said: go on."
    return _CLOSED.get(found.state, "")


async def go_on(house: House, click: Click) -> None:
    """*Go on* was pressed: whoever was asked, the owner or an admin lets it go out."""
    await _look_at_people(house, click)
    now = house.clock.now()
    told = await house.db.run(lambda session: _decide(session, house, click, now))
    house.wakes.wake("provisions")
    house.wakes.wake("outbox")
    await answer(house, click, told)


async def _look_at_people(house: House, click: Click) -> None:
    """Who they are at this moment decides; if Slack cannot say, then who they were."""
    ordered = await house.db.read(lambda session: _ordered(session, question(session, click.value or "")))
    if ordered is None:
        return
    await ask_about(house, behind(ordered))
    if await house.db.run(lambda session: _barred(session, ordered, house.clock.now())):
        house.wakes.wake("provisions")


def _barred(session: Session, ordered: ProvisionRecord, now: datetime) -> bool:
    """Nobody need press anything any more to have it refused."""
    return not _may_rent(session, ordered) and look_again(session, ordered.id, now)


def _may_rent(session: Session, ordered: ProvisionRecord) -> bool:
    """Whether it may go out for these people, if it has not."""
    return ordered.stage != Stage.WISHED or all(may_rent(session, user) for user in behind(ordered))


def _ordered(session: Session, found: Question | None) -> ProvisionRecord | None:
    return record(session, str(found.facts.get("provision"))) if found else None


def _decide(session: Session, house: House, click: Click, now: datetime) -> str:
    found = question(session, click.value or "")
    ordered = _ordered(session, found)
    if found is None or ordered is None:
        raise Declined("This question is no longer on record. Nothing was done.")
    if click.user not in {found.asked, ordered.owner, *house.admins}:
        raise Declined(f"Only {mention(ordered.owner)} or an admin can say so. Nothing was done.")
    if found.state is QuestionState.OPEN and ordered.outcome is not None:
        raise Declined(f"{code(ordered.name)} is over. Nothing was done.")
    if not _may_rent(session, ordered):
        raise Declined(
            f"{code(ordered.name)} does not go on: only active full members of this workspace may rent pods, "
            "and whoever it is for is none any more."
        )
    if not decide(session, found.id, click.user, GO_ON, now, None):
        again = question(session, found.id)
        if again and again.state is QuestionState.DECIDED and again.decided_by == click.user:
            return f"You said so before: {code(ordered.name)} goes on."
        raise Declined(f"That was answered before. {_state(again or found)}")
    say_go_on(session, ordered.id, click.user, now)
    for message in copies(session, found.id):
        redraw(session, message, now)
    facts: JsonObject = {"question": found.id, "by": click.user, "click": click.key}
    record_event(session, Event(now, click.user, "provision.go_on", ordered.id, facts))
    return f"{code(ordered.name)} goes on; its thread tells how it goes."
