"""Questions about pods, opened as the jobs open them, and the messages that show them."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta

from sqlmodel import Session, col, select

from bot.letters import letters
from bot.standing import fingerprint_now, standing
from jobs.outbox.sending import Sender
from storage.outbox import Letter, OutboxRow, send
from storage.question import Question, ask, question, shown_in
from storage.trail import TrailRow
from tests.bot.talk import UNHURRIED
from tests.world import World


async def sent(world: World) -> None:
    """Everything in the outbox that is due has left, by this sender's hands or by the service's own."""
    sender = Sender(world.house, letters(world.house), UNHURRIED.nap)
    await sender.run()
    while await world.house.db.read(_on_their_way):
        await asyncio.sleep(0.01)
        await sender.run()
    await world.slack.settle()


def _on_their_way(session: Session) -> bool:
    """The service's own sender has some of them in its hands."""
    taken = select(OutboxRow.id).where(col(OutboxRow.lease_until).is_not(None))
    return session.exec(taken).first() is not None


async def opened(
    world: World, pod_id: str, asked: str, reason: str = "stale", kind: str = "card", **more: object
) -> str:
    """A question that its person has in front of them. Returns its id."""
    question_id = await prepared(world, pod_id, asked, reason, kind, **more)
    await sent(world)
    return question_id


async def prepared(
    world: World, pod_id: str, asked: str, reason: str = "stale", kind: str = "card", **more: object
) -> str:
    """A question whose message waits in the outbox."""
    return await world.house.db.run(
        lambda session: _prepare(session, world, pod_id, asked, reason, kind, more)
    )


async def prepared_together(world: World, pod_ids: Sequence[str], asked: str) -> list[str]:
    """Questions to one person that are opened at one moment, as one pass of the jobs does it."""

    def work(session: Session) -> list[str]:
        return [_prepare(session, world, pod_id, asked, "stale", "card", {}) for pod_id in pod_ids]

    return await world.house.db.run(work)


def _prepare(
    session: Session,
    world: World,
    pod_id: str,
    asked: str,
    reason: str,
    kind: str,
    more: Mapping[str, object],
) -> str:
    now, house = world.clock.now(), world.house
    whose = standing(session, pod_id, now, house.policy.claim_settle)
    new = Question(
        f"q-{pod_id}-{reason}",
        kind,
        pod_id,
        fingerprint_now(session, pod_id, whose),
        reason,
        asked,
        now,
        None if kind == "notice" else now + house.answers.expires,
        ends_at=now + timedelta(days=1) if kind == "notice" else None,
        **more,  # type: ignore[arg-type]
    )
    assert ask(session, new)
    letter = Letter(f"{kind}/{new.id}", asked, kind, {"question": new.id})
    shown_in(session, new.id, send(session, letter, now))
    return new.id


async def as_it_stands(world: World, question_id: str) -> Question:
    """The question now."""
    found = await world.house.db.read(lambda session: question(session, question_id))
    assert found is not None
    return found


async def refused(world: World) -> list[str]:
    """Who has pressed in vain, in order."""
    wanted = select(TrailRow.actor).where(TrailRow.kind == "press.refused").order_by(col(TrailRow.seq))
    return await world.house.db.read(lambda session: list(session.exec(wanted)))
