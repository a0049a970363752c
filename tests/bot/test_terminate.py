"""Ending, stopping and starting a pod by hand: who may, what is shown, and what a click then does."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from jobs.executor.requesting import warning_of
from pods.guards import Path
from storage.deed import Deed, DeedState, deeds_of
from storage.outbox import OutboxRow
from storage.question import open_questions
from storage.switch import Switch, set_switch
from tests.bot.account import claimed, foreign, looked, owned
from tests.bot.asking import sent
from tests.bot.talk import Talk, value_of
from tests.world import World


async def deeds(world: World, pod_id: str) -> list[Deed]:
    return await world.house.db.read(lambda session: deeds_of(session, pod_id))


async def test_the_owner_confirms_and_the_deed_is_due_after_the_pause_for_undo(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)

    shown = await talk.types(alice, "/pod terminate train")
    told = await talk.clicks(alice, "Terminate")

    [deed] = await deeds(world, pod_id)
    assert "is lost" in shown
    assert "ends in 10 seconds" in told
    assert (deed.path, deed.actor, deed.state) == (Path.OWNER, alice.id, DeedState.DUE)
    assert deed.not_before == world.clock.now() + world.house.answers.undo


async def test_every_value_of_a_button_is_the_short_id_of_one_row(world: World, talk: Talk):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    await owned(world, "train", alice.id)

    await talk.types(alice, "/pod terminate train")
    confirmation = value_of(alice, "pod_terminate")
    await talk.clicks(alice, "Terminate")
    await talk.types(alice, "/pod give train @bob")
    await sent(world)
    await looked(world)
    await talk.types(dana, "/pod arm stale")

    offered, planned = value_of(bob, "give_accept"), value_of(dana, "arm_confirm")
    values = [confirmation, value_of(alice, "deed_undo"), offered, planned]
    assert [value for value in values if not re.fullmatch("[a-z0-9]{8}", value)] == []


async def test_nothing_is_intended_before_the_click(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)

    await talk.types(alice, "/pod terminate train")

    assert await deeds(world, pod_id) == []


async def test_leave_it_leaves_it(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")

    told = await talk.clicks(alice, "Leave it")

    assert "Left as it is." in told
    assert await deeds(world, pod_id) == []


async def test_leave_it_after_terminate_calls_it_off(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    confirmation = value_of(alice, "pod_leave")
    await talk.clicks(alice, "Terminate")

    await alice.sends_action("pod_leave", confirmation)
    await talk.settled()

    [deed] = await deeds(world, pod_id)
    assert deed.state == DeedState.UNDONE
    assert "Undone: nothing happens" in alice.reads()


async def test_a_terminate_that_was_undone_is_not_said_to_come(world: World, talk: Talk):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    confirmation = value_of(alice, "pod_terminate")
    await talk.clicks(alice, "Terminate")
    await talk.clicks(alice, "Undo")

    await alice.sends_action("pod_terminate", confirmation)
    await talk.settled()

    assert "This was undone, so nothing happens to *train*" in alice.reads()


async def test_undo_calls_it_off(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "Terminate")

    told = await talk.clicks(alice, "Undo")

    [deed] = await deeds(world, pod_id)
    assert "Undone" in told
    assert deed.state is DeedState.UNDONE


async def test_a_stranger_cannot_undo_somebody_elses_end(world: World, talk: Talk):
    alice, carol = world.slack.people.alice, world.slack.people.carol
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "Terminate")
    [deed] = await deeds(world, pod_id)

    await carol.sends_action("deed_undo", deed.id)
    await talk.settled()

    [after] = await deeds(world, pod_id)
    assert after.state is DeedState.DUE


async def test_two_clicks_are_one_deed(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    world.slack.faults.duplicate()

    await talk.clicks(alice, "Terminate")

    assert len(await deeds(world, pod_id)) == 1


async def test_a_confirmation_shown_to_somebody_else_is_worth_nothing(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    value = value_of(alice, "pod_terminate")

    await bob.sends_action("pod_terminate", value)
    await talk.settled()

    await bob.sees("shown to somebody else")
    assert await deeds(world, pod_id) == []


async def test_somebody_elses_pod_is_put_to_its_owner(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)

    told = await talk.types(bob, "/pod terminate train it idles")

    [question] = await world.house.db.read(open_questions)
    assert "I have asked them" in told
    assert (question.asked, question.asked_by, question.pod_id) == (alice.id, bob.id, pod_id)
    assert await deeds(world, pod_id) == []


async def test_a_pod_of_nobody_is_ended_by_nobody(world: World, talk: Talk):
    pod_id = await foreign(world, "notebook")

    told = await talk.types(world.slack.people.dana, "/pod terminate notebook it is old")

    assert "/pod claim" in told
    assert await deeds(world, pod_id) == []


async def test_a_fresh_claim_gives_no_right_to_end(world: World, talk: Talk):
    bob = world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, bob.id)

    told = await talk.types(bob, "/pod terminate notebook")

    assert "you can end it from" in told
    assert await deeds(world, pod_id) == []


async def test_an_admin_gives_a_reason(world: World, talk: Talk):
    await owned(world, "train", world.slack.people.alice.id)

    told = await talk.types(world.slack.people.dana, "/pod terminate train")

    assert "with a reason" in told


async def test_an_admins_end_warns_the_owner_first(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    await talk.types(dana, "/pod terminate train it idles for a week")

    told = await talk.clicks(dana, "Terminate")

    [deed] = await deeds(world, pod_id)
    letters = await world.house.db.read(lambda session: session.exec(select(OutboxRow)).all())
    assert "15 minutes after" in told
    assert (deed.path, deed.reason) == (Path.ADMIN, "it idles for a week")
    assert (alice.id, warning_of(deed.id)) in {(letter.target, letter.dedupe) for letter in letters}


async def test_after_the_pause_for_undo_the_pod_is_really_ended(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "Terminate")
    before = list(world.runpod.calls.terminates())

    for _ in range(10):
        await world.passes(timedelta(seconds=2))
        await talk.works()

    assert before == []
    assert world.runpod.truth(pod_id).ended_by == "api:bot"


async def test_a_locked_pod_is_not_ended(world: World, talk: Talk):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id, locked=True)

    assert "is locked at RunPod" in await talk.types(alice, "/pod terminate train")


async def test_while_paused_nothing_is_ended(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    await owned(world, "train", alice.id)
    paused = Switch("paused", "on", dana.id, world.clock.now())
    await world.house.db.run(lambda session: set_switch(session, paused))

    assert "has paused everything" in await talk.types(alice, "/pod terminate train")


async def test_a_pod_that_is_gone_is_said_to_be_gone(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "Terminate")

    told = await talk.types(alice, f"/pod terminate {pod_id}")

    assert "is being ended already" in told


async def test_a_stop_is_confirmed_too(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod stop train")

    await talk.clicks(alice, "Stop")

    [deed] = await deeds(world, pod_id)
    assert deed.path == Path.STOP


async def test_a_stopped_pod_is_started_at_once(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    told = await talk.types(alice, "/pod start train")

    assert "it costs money again from now on." in told
    assert len(world.runpod.calls.matching("POST", rf"/v2/pods/{pod_id}/.*")) == 1


async def test_a_pod_that_has_just_stopped_is_started_although_no_listing_shows_it_yet(
    world: World, talk: Talk
):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")

    told = await talk.types(alice, "/pod start train")

    assert "starts" in told


@pytest.mark.parametrize("command", ["terminate", "stop", "start", "ssh"])
async def test_a_command_without_its_pod_shows_a_right_one(world: World, talk: Talk, command: str):
    told = await talk.types(world.slack.people.alice, f"/pod {command}")

    assert f"`/pod {command} train-7b`" in told


@pytest.mark.parametrize(("typed", "verb"), [("terminate", "end"), ("stop", "stop"), ("start", "start")])
async def test_a_pod_of_nobody_is_left_alone_in_the_words_of_the_command(
    world: World, talk: Talk, typed: str, verb: str
):
    await foreign(world, "notebook")
    told = await talk.types(world.slack.people.alice, f"/pod {typed} notebook")
    assert f"I {verb} only what somebody answers for" in told
