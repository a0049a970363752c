"""`serve` is really killed, with -9: between a decision and its effect, between the effect and the card."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import select

from simulator.runpod import RunPodSimulator
from simulator.slack import SlackSimulator
from storage.database import Database
from storage.question import QuestionState, question
from storage.trail import TrailRow
from tests.bot.account import owned
from tests.bot.asking import opened
from tests.bot.process import environment, started
from tests.world import HandClock, World, house_in


@pytest.fixture
async def slack() -> AsyncIterator[SlackSimulator]:
    async with SlackSimulator() as simulator:
        yield simulator


@pytest.fixture
async def runpod() -> AsyncIterator[RunPodSimulator]:
    async with RunPodSimulator() as simulator:
        yield simulator


@pytest.fixture
def settings(slack: SlackSimulator, runpod: RunPodSimulator, tmp_path: Path) -> dict[str, str]:
    """A service that looks often and does not pause for long."""
    hurry = {"PODKEEPER_UNDO": "1s", "PODKEEPER_OBSERVE_EVERY": "1s"}
    return {**environment(slack, runpod, tmp_path), **hurry}


@pytest.fixture
def database(settings: dict[str, str], migrated_sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    """The service's own."""
    shutil.copy(migrated_sqlite, tmp_path / "podkeeper.db")
    opened = Database(settings["DATABASE_URL"])
    yield opened
    opened.close()


async def until(true: Callable[[], bool]) -> None:
    """Look all the time, for what follows a moment later is not to happen any more."""
    while not true():  # noqa: ASYNC110 - what happens elsewhere sets no event here
        await asyncio.sleep(0.002)


async def test_a_yes_is_one_end_and_one_card_whenever_the_service_dies(
    slack: SlackSimulator,
    runpod: RunPodSimulator,
    settings: dict[str, str],
    database: Database,
    tmp_path: Path,
) -> None:
    alice, clock = slack.people.alice, HandClock(datetime.now(UTC))
    async with house_in(clock, database, runpod, slack) as house:
        world = World(clock, runpod, slack, house)
        runpod.rent("somebodys", by="console:carol", created=runpod.ago(hours=50))
        pod_id = await owned(world, "train", alice.id)
        question_id = await opened(world, pod_id, alice.id, "provision_failed")

    def decided() -> bool:
        found = database.read_now(lambda session: question(session, question_id))
        return found is not None and found.state is QuestionState.DECIDED

    async with started(settings, tmp_path) as serve:
        await slack.connected(within=55)
        await alice.clicks("Terminate", confirm=True)
        await until(decided)
        serve.process.kill()
        await serve.ends()
    ended_before_the_effect = list(runpod.calls.terminates())

    async with started(settings, tmp_path) as serve:
        await until(lambda: bool(runpod.calls.terminates()))
        serve.process.kill()
        await serve.ends()
    shown_before_the_redraw = alice.reads("dm")

    async with started(settings, tmp_path) as serve:
        await alice.sees("is gone: ended at", in_="dm")
        await alice.sees("It is ended", in_="dm")

    decisions = select(TrailRow.actor).where(TrailRow.kind == "question.decided")
    shown = [message for message in alice.messages("dm") if message.only_for is None]
    cards = [message for message in shown if "decided to end it" in message.plain]
    assert ended_before_the_effect == []
    assert "It is ended" not in shown_before_the_redraw
    assert [call.pod_id for call in runpod.calls.terminates() if call.status == 204] == [pod_id]
    assert database.read_now(lambda session: list(session.exec(decisions))) == [alice.id]
    assert [card.buttons for card in cards] == [[]]
