"""The card: what it says, and what each click on it does."""

from datetime import timedelta

from jobs.observe.looking import Observer
from storage.deed import Deed, DeedState, deeds_of
from storage.keep import keeps_of
from storage.question import QuestionState
from storage.switch import Switch, set_switch
from storage.switches import PAUSED
from tests.bot.account import claimed, foreign, looked, owned
from tests.bot.asking import as_it_stands, opened, sent
from tests.bot.talk import Talk
from tests.world import World


async def deeds(world: World, pod_id: str) -> list[Deed]:
    return await world.house.db.read(lambda session: deeds_of(session, pod_id))


async def stopped(world: World, name: str, owner: str) -> str:
    pod_id = await owned(world, name, owner)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)
    return pod_id


async def test_the_card_tells_which_pod_money_why_whose_what_is_lost_and_until_when(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)

    await opened(world, pod_id, alice.id)

    told = alice.reads("dm")
    assert pod_id in told
    assert "costs" in told
    assert "is stopped, and goes on" in told
    assert "I rented it for" in told
    assert "If it ends" in told
    assert "Without one, nothing happens" in told


async def test_a_pod_that_was_stopped_when_first_seen_is_called_stopped_since_when_runpod_says(
    world: World, talk: Talk
):
    alice, observer = world.slack.people.alice, Observer(world.house)
    pod = world.runpod.rent("old", by="console:alice", created=world.runpod.ago(hours=50))
    world.runpod.console.stop(pod.id, by="console:alice")
    await world.passes(timedelta(hours=30))
    for _ in range(3):
        await observer.run()
        await world.passes(timedelta(minutes=1))
    await claimed(world, pod.id, alice.id)

    await opened(world, pod.id, alice.id)

    assert "RunPod says that it stopped 1 day 6 hours" in alice.reads("dm")


async def test_money_that_is_unknown_is_left_out(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await foreign(world, "train", cost="missing")
    await claimed(world, pod_id, alice.id)

    await opened(world, pod_id, alice.id)
    told = await talk.types(alice, f"/pod why {pod_id}")

    assert "What it costs is unknown." in alice.reads("dm")
    assert "What it has cost so far is unknown." in told


async def test_keep_comes_first(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)

    await opened(world, pod_id, alice.id)

    [card] = [message for message in alice.messages("dm") if message.buttons]
    assert card.buttons == ["Keep 1 day", "Stop", "Terminate", "Not mine", "Why?"]


async def test_keep_one_day_keeps_it_and_closes_every_copy(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    told = await talk.clicks(alice, "Keep 1 day")
    await sent(world)

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert "is kept until" in told
    assert (keep.given_by, keep.until) == (alice.id, world.clock.now() + timedelta(days=1))
    assert (await as_it_stands(world, question_id)).state is QuestionState.DECIDED
    await alice.sees("keeps it until", in_="dm")
    await alice.sees_no_button("Keep 1 day", in_="dm")


async def test_terminate_is_a_deed_after_the_pause_for_undo(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    told = await talk.clicks(alice, "Terminate", confirm=True)

    [deed] = await deeds(world, pod_id)
    assert "Undo" in told
    assert (deed.path, deed.actor, deed.question_id, deed.state) == (
        "owner",
        alice.id,
        question_id,
        DeedState.DUE,
    )
    assert deed.not_before == world.clock.now() + world.house.answers.undo


async def test_undo_is_seen_on_the_card(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    await opened(world, pod_id, alice.id)
    await talk.clicks(alice, "Terminate", confirm=True)

    await talk.clicks(alice, "Undo")
    await sent(world)

    await alice.sees("called off", in_="dm")


async def test_a_confirmation_that_is_left_does_nothing(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await talk.clicks(alice, "Terminate", confirm=False)

    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN


async def test_keep_for_other_asks_how_long(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    await opened(world, pod_id, alice.id)

    await alice.picks("Keep for…", "Other…")
    await talk.settled()
    await alice.fills({"for": "5d"}).submits()
    await talk.settled()

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    assert keep.until == world.clock.now() + timedelta(days=5)


async def test_a_duration_that_is_none_is_refused_in_the_form(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    await opened(world, pod_id, alice.id)

    await alice.picks("Keep for…", "Other…")
    await talk.settled()
    await alice.fills({"for": "a while"}).submits()

    assert alice.modal is not None
    assert "not a duration" in alice.modal.errors["for"]


async def test_a_keep_beyond_the_limit_is_declined_and_the_question_stays(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await alice.picks("Keep for…", "Other…")
    await talk.settled()
    await alice.fills({"for": "90d"}).submits()
    await talk.settled()

    await alice.sees("14 days at most")
    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN


async def test_not_mine_withdraws_the_claim_and_asks_whose_it_is(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    await opened(world, pod_id, alice.id)
    await world.clock.pass_by(timedelta(minutes=1))

    told = await talk.clicks(alice, "Not mine")
    await alice.picks("Somebody…", bob.id)
    await talk.settled()
    await sent(world)

    assert "is not yours any more" in told
    await bob.sees("thinks that this pod is yours", in_="dm")
    await bob.sees_button("Mine", in_="dm")


async def test_why_shows_what_was_seen_and_decides_nothing(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await stopped(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)

    told = await talk.clicks(alice, "Why?")

    assert "By line" in told
    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN


async def test_a_claim_that_has_not_settled_shows_no_terminate(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)

    await opened(world, pod_id, alice.id, reason="error_state")

    await alice.sees_button("Keep 1 day", in_="dm")
    await alice.sees_no_button("Terminate", in_="dm")


async def test_a_pause_holds_the_end_but_not_the_keep(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await stopped(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    paused = Switch(PAUSED, "on", dana.id, world.clock.now())
    await world.house.db.run(lambda session: set_switch(session, paused))

    told = await talk.clicks(alice, "Terminate", confirm=True)
    assert "has paused everything" in told
    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN
    await talk.clicks(alice, "Keep 1 day")

    assert (await as_it_stands(world, question_id)).decision == "keep"
    assert await deeds(world, pod_id) == []
