"""One decision: the first wins, and every late, foreign or forged press has its own sentence."""

import asyncio
from datetime import timedelta
from functools import partial

from storage.deed import deeds_of
from storage.keep import keeps_of
from storage.question import QuestionState
from storage.switch import Switch, set_switch
from storage.switches import ARMED_STALE
from tests.bot.account import looked, owned
from tests.bot.asking import as_it_stands, opened, sent
from tests.bot.talk import Talk
from tests.world import World


async def test_a_double_click_is_one_keep_and_the_same_answer(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await asyncio.gather(
        alice.sends_action("card_keep_1d", question_id), alice.sends_action("card_keep_1d", question_id)
    )
    await talk.settled()

    assert len(await world.house.db.read(lambda session: keeps_of(session, pod_id))) == 1


async def test_terminate_and_keep_at_once_are_one_of_the_two(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await asyncio.gather(
        alice.sends_action("card_terminate", question_id), dana.sends_action("card_keep_1d", question_id)
    )
    await talk.settled()

    keeps = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    ends = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert len(keeps) + len(ends) == 1


async def test_the_second_is_told_who_decided_first(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    world.slack.workspace.allow_messages(alice.id, False)
    question_id = await opened(world, pod_id, alice.id)
    await talk.clicks(dana, "Keep 1 day")

    [card] = [message for message in alice.messages("#gpu-ops") if pod_id in message.plain][:1]
    await alice.sends_action("card_terminate", question_id, on=card)
    await talk.settled()

    await alice.sees("was decided already")
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []


async def test_a_click_after_the_time_is_over_says_so_and_closes_the_card(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    await world.clock.pass_by(world.house.answers.expires + timedelta(seconds=1))

    told = await talk.clicks(alice, "Terminate", confirm=True)
    await sent(world)

    assert "is over" in told
    assert (await as_it_stands(world, question_id)).state is QuestionState.EXPIRED
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []
    await alice.sees_no_button("Terminate", in_="dm")


async def test_a_pod_that_changed_since_makes_the_question_void(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    told = await talk.clicks(alice, "Terminate", confirm=True)
    await sent(world)

    assert "has changed since you were asked" in told
    assert (await as_it_stands(world, question_id)).state is QuestionState.VOID
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []
    await alice.sees("does not hold any more", in_="dm")


async def test_a_value_that_is_no_question_is_answered(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id)

    for forged in ("", "nothing", pod_id, "x" * 500):
        await alice.sends_action("card_terminate", forged)
        await talk.settled()

    await alice.sees("not on record")
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []
    assert not alice.warnings


async def test_a_choice_that_was_never_offered_keeps_nothing(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await alice.sends_action("card_keep", "10y", type="static_select", block_id=question_id)
    await talk.settled()

    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == []
    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN


async def test_the_clock_of_a_stale_end_starts_when_slack_took_the_notice(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    armed = Switch(ARMED_STALE, "on", "U0DANA", world.clock.now())
    await world.house.db.run(lambda session: set_switch(session, armed))

    question_id = await opened(world, pod_id, alice.id, kind="notice")

    found = await as_it_stands(world, question_id)
    assert found.delivered_at == world.clock.now()
    assert found.ends_at == world.clock.now() + world.house.policy.stale_notice
    await alice.sees("It ends by itself at", in_="dm")
    await alice.sees_button("End now", in_="dm")


async def test_a_notice_that_reaches_nobody_starts_no_clock(world: World, talk: Talk):
    dee = world.slack.people.dee
    pod_id = await owned(world, "train", dee.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    question_id = await opened(world, pod_id, dee.id, kind="notice")
    await sent(world)

    assert (await as_it_stands(world, question_id)).delivered_at is None
    await world.slack.people.bob.sees("nothing ends by itself", in_="#gpu-ops")


async def test_of_two_cards_the_one_that_was_pressed_is_decided(world: World, talk: Talk):
    alice = world.slack.people.alice
    pods = [await owned(world, name, alice.id) for name in ("train", "eval")]
    for pod_id in pods:
        await opened(world, pod_id, alice.id)
    [first, second] = alice.messages("dm")

    await alice.clicks("Keep 1 day", on=first)
    await talk.settled()
    await sent(world)

    kept = [bool(await world.house.db.read(partial(keeps_of, pod_id=pod_id))) for pod_id in pods]
    [first, second] = [message for message in alice.messages("dm") if message.only_for is None]
    assert kept == [True, False]
    assert (first.buttons, "Keep 1 day" in second.buttons) == ([], True)
