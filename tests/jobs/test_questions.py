"""Silence is no yes: what closes a question when nobody answers it."""

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from jobs.judgement.acting import present_fingerprint
from jobs.judgement.loading import load
from jobs.observe.looking import Observer
from jobs.questions import HAS_CHANGED, NOT_BEGUN, Questions
from simulator.runpod.pod import Pod
from storage.outbox import Letter, OutboxRow, send
from storage.question import Question, QuestionState, ask, decide, question, shown_in
from tests.world import World

HOUR = timedelta(hours=1)


class Asking:
    """A pod that somebody is asked about, and the message that asks."""

    def __init__(self, world: World, pod: Pod) -> None:
        self.world, self.pod = world, pod
        self.observer, self.questions = Observer(world.house), Questions(world.house)

    async def asks(self, fingerprint: str | None = None) -> None:
        world, now = self.world, self.world.clock.now()
        alice = world.slack.people.alice.id

        def write(session: Session) -> None:
            [facts] = load(session, now, world.house.policy).pods
            state = fingerprint or present_fingerprint(session, facts)
            one = Question("q", "card", self.pod.id, state, "stale", alice, now, now + HOUR)
            assert ask(session, one)
            shown_in(session, "q", send(session, Letter("card/q", alice, "card"), now))

        await world.house.db.run(write)

    async def passes(self, time: timedelta) -> None:
        await self.world.passes(time)
        await self.observer.run()
        await self.questions.run()

    async def now_is(self) -> Question:
        found = await self.world.house.db.read(lambda session: question(session, "q"))
        assert found is not None
        return found

    async def drawn_anew(self) -> bool:
        def wanted(session: Session) -> int:
            return session.exec(select(OutboxRow.wanted)).one()

        return await self.world.house.db.read(wanted) > 1


@pytest.fixture
async def asking(world: World) -> Asking:
    asking = Asking(world, world.runpod.rent("train", created=world.runpod.ago(hours=5)))
    await asking.passes(timedelta(minutes=1))
    await asking.passes(timedelta(minutes=1))
    return asking


async def test_a_question_that_holds_stays_open(asking: Asking) -> None:
    await asking.asks()

    await asking.passes(HOUR / 2)

    assert (await asking.now_is()).state is QuestionState.OPEN
    assert not await asking.drawn_anew()


async def test_one_that_nobody_answered_in_time_expires_and_is_drawn_anew(asking: Asking) -> None:
    await asking.asks()

    await asking.passes(HOUR)

    assert (await asking.now_is()).state is QuestionState.EXPIRED
    assert await asking.drawn_anew()


async def test_one_about_a_pod_that_has_changed_is_void(asking: Asking) -> None:
    await asking.asks()
    asking.world.runpod.console.stop(asking.pod.id, by="console:alice")

    await asking.passes(timedelta(minutes=1))

    found = await asking.now_is()
    assert (found.state, found.outcome) == (QuestionState.VOID, HAS_CHANGED)
    assert await asking.drawn_anew()


async def test_one_about_a_pod_that_cannot_be_seen_holds(asking: Asking) -> None:
    await asking.asks()
    asking.world.runpod.quirks.account.listing = "empty"

    await asking.passes(timedelta(minutes=1))

    assert (await asking.now_is()).state is QuestionState.OPEN


async def test_one_that_was_asked_without_seeing_the_pod_is_not_called_changed(asking: Asking) -> None:
    await asking.asks("moved_or_copied:pod")

    await asking.passes(timedelta(minutes=1))

    assert (await asking.now_is()).state is QuestionState.OPEN


async def test_a_decision_that_never_became_a_deed_lapses(asking: Asking) -> None:
    await asking.asks()
    now = asking.world.clock.now()
    assert await asking.world.house.db.run(
        lambda session: decide(session, "q", "U1", "terminate", now, now + HOUR / 2)
    )

    await asking.passes(HOUR / 2)

    assert (await asking.now_is()).outcome == NOT_BEGUN
    assert await asking.drawn_anew()
