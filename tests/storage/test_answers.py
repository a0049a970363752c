"""How what a writer's thread did comes back to an event loop."""

import asyncio
from concurrent.futures import Future

import pytest
from pytest_mock import MockerFixture

from storage.answers import Answers


async def test_each_gets_its_own_answer() -> None:
    answers = Answers(asyncio.get_running_loop())
    works: list[Future[int]] = [Future() for _ in range(3)]
    awaited = [answers.to(work) for work in works]

    for number, work in enumerate(works):
        work.set_result(number)

    assert await asyncio.gather(*awaited) == [0, 1, 2]


async def test_a_loop_is_woken_once_for_all_that_was_settled(mocker: MockerFixture) -> None:
    loop = asyncio.get_running_loop()
    answers = Answers(loop)
    works: list[Future[int]] = [Future() for _ in range(3)]
    awaited = [answers.to(work) for work in works]
    wakes = mocker.spy(loop, "call_soon_threadsafe")

    for work in works:
        work.set_result(1)
    await asyncio.gather(*awaited)

    assert wakes.call_count == 1


async def test_what_is_settled_later_wakes_the_loop_again() -> None:
    answers = Answers(asyncio.get_running_loop())
    first: Future[int] = Future()
    second: Future[int] = Future()
    first.set_result(1)
    assert await answers.to(first) == 1

    second.set_result(2)

    assert await answers.to(second) == 2


async def test_an_error_arrives_as_it_was_raised() -> None:
    work: Future[int] = Future()
    awaited = Answers(asyncio.get_running_loop()).to(work)

    work.set_exception(LookupError("no such row"))

    with pytest.raises(LookupError, match="no such row"):
        await awaited


async def test_who_does_not_wait_any_more_holds_up_nobody() -> None:
    answers = Answers(asyncio.get_running_loop())
    left: Future[int] = Future()
    kept: Future[int] = Future()
    given_up, awaited = answers.to(left), answers.to(kept)
    given_up.cancel()

    left.set_result(1)
    kept.set_result(2)

    assert await awaited == 2


def test_a_loop_that_is_closed_is_not_woken(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    work: Future[int] = Future()
    Answers(loop).to(work)
    loop.close()

    work.set_result(1)

    assert not caplog.records
