"""Who may press: decided at the click, from present facts. Who may not is told so, and it is recorded."""

from pods.ids import PodId, UserId
from pods.ownership import Give
from storage.claim import say
from storage.deed import deeds_of
from storage.question import QuestionState
from tests.bot.account import claimed, foreign, looked, owned
from tests.bot.asking import as_it_stands, opened, refused, sent
from tests.bot.talk import Talk
from tests.world import World


async def in_ops(world: World, owner: str) -> tuple[str, str]:
    """A question about a stopped pod whose owner cannot be written to."""
    pod_id = await owned(world, "train", owner)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)
    world.slack.workspace.allow_messages(owner, False)
    return pod_id, await opened(world, pod_id, owner)


async def test_a_stranger_is_told_privately_and_the_card_stays(world: World, talk: Talk):
    alice, carol = world.slack.people.alice, world.slack.people.carol
    _, question_id = await in_ops(world, alice.id)

    told = await talk.clicks(carol, "Keep 1 day")

    assert "only they can decide" in told
    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN
    assert await refused(world) == [carol.id]
    await world.slack.people.bob.sees_not("only they can decide")


async def test_whoever_asked_for_the_end_cannot_say_yes_to_it(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id, "person_asks", asked_by=bob.id)

    await bob.sends_action("card_terminate", question_id)
    await talk.settled()

    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []
    assert await refused(world) == [bob.id]


async def test_a_click_by_somebody_who_cannot_see_the_message_is_recorded_and_not_answered(
    world: World, talk: Talk
):
    alice, carol = world.slack.people.alice, world.slack.people.carol
    pod_id = await owned(world, "train", alice.id)
    question_id = await opened(world, pod_id, alice.id)
    before = carol.screen

    await carol.sends_action("card_terminate", question_id)
    await talk.settled()

    assert carol.screen == before
    assert await refused(world) == [carol.id]


async def test_an_admin_ends_a_proved_pod_only_with_a_reason_and_its_owner_is_told(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id, _ = await in_ops(world, alice.id)

    await dana.clicks("Terminate")
    await talk.settled()
    await dana.fills({"reason": "its owner is away and it fills the account"}).submits()
    await talk.settled()

    [deed] = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert (deed.path, deed.actor, deed.owner) == ("admin", dana.id, alice.id)
    assert deed.reason == "its owner is away and it fills the account"


async def test_an_admin_cannot_end_what_is_only_claimed(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await dana.sends_action("card_terminate", question_id)
    await talk.settled()

    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []
    assert (await as_it_stands(world, question_id)).state is QuestionState.OPEN


async def test_a_claimant_whose_claim_has_not_settled_keeps_but_does_not_end(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    question_id = await opened(world, pod_id, alice.id)

    await alice.sends_action("card_terminate", question_id)
    await talk.settled()
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []
    await talk.clicks(alice, "Keep 1 day")

    assert (await as_it_stands(world, question_id)).decision == "keep"


async def test_the_former_owner_of_a_pod_that_was_given_away_decides_nothing(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id)
    given = Give(PodId(pod_id), UserId(alice.id), UserId(bob.id), world.clock.now())
    await world.house.db.run(lambda session: say(session, given))

    told = await talk.clicks(alice, "Terminate", confirm=True)

    assert "only they can decide" in told
    assert await world.house.db.read(lambda session: deeds_of(session, pod_id)) == []


async def test_an_owner_who_has_left_is_asked_about_in_the_ops_channel(world: World, talk: Talk):
    dee, bob = world.slack.people.dee, world.slack.people.bob
    pod_id = await owned(world, "train", dee.id)

    await opened(world, pod_id, dee.id)
    await sent(world)

    await bob.sees("I could not reach", in_="#gpu-ops")
    await bob.sees_no_button("Not mine", in_="#gpu-ops")
