"""Cards and answers say what is so: no lapsed keep, no wrong time, no button that cannot be pressed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pods.ids import PodId, UserId
from pods.ownership import Give
from pods.provision.outcomes import Outcome
from storage.claim import say
from storage.deed import deeds_of
from storage.keep import keeps_of
from storage.question import open_questions
from tests.bot.account import later, looked, owned, rented
from tests.bot.asking import opened, prepared_together, sent
from tests.bot.talk import Talk, serving
from tests.watching import MINUTE, rents_ours, watched
from tests.world import World

OPS = "#gpu-ops"
ASIDE = "It is kept; ending it sets that aside."


@pytest.mark.parametrize(("passes", "said"), [(timedelta(0), True), (timedelta(hours=2), False)])
async def test_only_a_keep_that_covers_it_now_is_said_to_be_set_aside(
    world: World, talk: Talk, passes: timedelta, said: bool
):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod keep train 1h")
    await world.clock.pass_by(passes)

    await opened(world, pod_id, alice.id, "error_state")

    assert (ASIDE in str(alice.messages("dm")[-1].message.blocks)) is said


async def test_an_owner_who_cannot_be_reached_has_every_pod_shown_where_admins_decide(
    world: World, talk: Talk
):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    world.slack.workspace.allow_messages(alice.id, False)
    pods = [await rented(world, f"train-{n:02}", alice.id) for n in range(23)]
    await looked(world)
    await prepared_together(world, pods, alice.id)
    await sent(world)
    before = dana.messages(OPS)[0].plain

    for _ in range(3):
        await talk.clicks(dana, "Keep 1 day")
        await sent(world)

    shown = dana.messages(OPS)[0].plain
    assert "and 3 more, which are shown here as these are decided." in before
    assert len(await world.house.db.read(open_questions)) == 20
    assert [n for n in range(23) if f"train-{n:02}" not in before + shown] == []


async def test_no_button_keeps_a_pod_for_longer_than_is_allowed(world: World):
    short = world.with_settings(answers=replace(world.house.answers, keep_max=timedelta(hours=12)))
    async with serving(short) as running:
        talk, alice = Talk(short, running), world.slack.people.alice
        pod_id = await owned(world, "train", alice.id)
        await opened(world, pod_id, alice.id, "error_state")

        told = await talk.clicks(alice, "Keep 1 day")

    assert "A keep may last 12h at most; nothing was kept." in told
    assert await world.house.db.read(lambda session: keeps_of(session, pod_id)) == []


async def test_an_asker_who_is_not_the_owner_is_told_of_a_failed_launch_without_buttons(
    world: World, talk: Talk
):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    watch = await watched(world)
    pod = await rents_ours(world, outcome=Outcome.PREFLIGHT_FAILED)
    give = Give(PodId(pod.id), UserId(alice.id), UserId(bob.id), world.clock.now())
    await world.house.db.run(lambda session: say(session, give))

    await watch.for_(4 * MINUTE, every=MINUTE)
    await sent(world)

    assert bob.messages("dm")[-1].buttons
    assert [message.buttons for message in alice.messages("dm")] == [[]]


async def test_an_admins_end_is_not_said_to_come_in_seconds(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id, "error_state")
    await talk.types(dana, "/pod terminate train it idles")

    await talk.clicks(dana, "Terminate")
    await sent(world)

    card = next(message.plain for message in alice.messages("dm") if "decided to end it" in message.plain)
    assert "It ends 15 minutes after @alice was told." in card


async def test_an_admin_hears_that_the_owner_called_the_end_off(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    await owned(world, "train", alice.id)
    await talk.types(dana, "/pod terminate train it idles")
    await talk.clicks(dana, "Terminate")
    await sent(world)

    await talk.clicks(alice, "Undo")
    await sent(world)

    assert "@alice has called that off. Nothing was done to it." in dana.reads("dm")


async def test_an_admin_does_not_end_the_pod_of_somebody_who_left_and_cannot_be_warned(
    world: World, talk: Talk
):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    await talk.types(bob, "/pod terminate train")
    await sent(world)
    world.slack.workspace.deactivate(alice.id)
    await talk.types(dana, "/pod terminate train it idles")
    await talk.clicks(dana, "Terminate")

    for _ in range(40):
        await world.passes(timedelta(minutes=1))
        await talk.works()

    [deed] = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert (deed.state, deed.outcome) == ("refused", "its owner could not be told 15 minutes before")


async def test_whoever_has_a_pod_by_now_reads_the_log_of_its_launch(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await owned(world, "train", alice.id)
    await talk.types(alice, "/pod give train @bob")
    await sent(world)
    await later(world)
    await talk.clicks(bob, "Accept")
    await later(world)

    assert "Only" not in await talk.types(bob, "/pod logs train")
