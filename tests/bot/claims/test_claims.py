"""Whose a pod is, as people say it: announced, settling, objected to, confirmed, handed over."""

from datetime import timedelta

import pytest
from sqlmodel import select

from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource, Grade
from storage.claim import HandOverRow, say
from tests.bot.account import claimed, foreign, later, owned, whose
from tests.bot.asking import sent
from tests.bot.talk import Talk, value_of
from tests.world import World

OPS = "#gpu-ops"


async def test_a_claim_is_announced_and_gives_no_right_to_end_yet(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await foreign(world, "notebook")

    told = await talk.types(alice, "/pod claim notebook")
    await sent(world)

    claim = await whose(world, pod_id)
    assert "You can end it from" in told
    assert (claim.owner, claim.grade, claim.may_end) == (alice.id, Grade.CLAIMED, False)
    await bob.sees("says that this pod is theirs", in_=OPS)
    await bob.sees_button("Not theirs", in_=OPS)


async def test_after_a_day_without_objection_the_claimant_may_end_it(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await foreign(world, "notebook")
    await talk.types(alice, "/pod claim notebook")
    await sent(world)

    await world.clock.pass_by(timedelta(hours=24))

    assert (await whose(world, pod_id)).may_end


async def test_an_objection_takes_the_right_until_an_admin_confirms(world: World, talk: Talk):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    pod_id = await foreign(world, "notebook")
    await talk.types(alice, "/pod claim notebook")
    await sent(world)
    await later(world)

    await talk.clicks(bob, "Not theirs")
    await sent(world)
    await world.clock.pass_by(timedelta(hours=48))
    objected = await whose(world, pod_id)
    await talk.clicks(dana, "Confirm")

    assert not objected.may_end
    assert (await whose(world, pod_id)).may_end
    await alice.sees("says that this pod is not yours", in_="dm")


async def test_not_theirs_on_an_old_copy_says_who_has_decided_and_changes_nothing(world: World, talk: Talk):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    pod_id = await foreign(world, "notebook")
    await talk.types(alice, "/pod claim notebook")
    await sent(world)
    claim = value_of(bob, "claim_object")
    await later(world)
    await talk.clicks(dana, "Confirm")
    await sent(world)
    await later(world)

    await bob.sends_action("claim_object", claim)
    await talk.settled()
    await sent(world)

    assert "@dana has decided already that *notebook* is @alice's" in bob.reads()
    assert "bob says that it is not" not in dana.reads(OPS)
    assert "is not yours" not in alice.reads("dm")
    assert (await whose(world, pod_id)).may_end


async def test_only_admins_confirm(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    await talk.types(alice, "/pod claim notebook")
    await sent(world)

    told = await talk.clicks(bob, "Confirm")

    assert "Only an admin" in told
    assert not (await whose(world, pod_id)).may_end


async def test_an_admin_does_not_confirm_their_own_claim(world: World, talk: Talk):
    dana = world.slack.people.dana
    pod_id = await foreign(world, "notebook")
    await talk.types(dana, "/pod claim notebook")
    await sent(world)

    told = await talk.clicks(dana, "Confirm")

    assert "another admin" in told
    assert not (await whose(world, pod_id)).may_end


async def test_a_conflict_is_ended_by_an_admin_who_is_no_party(world: World, talk: Talk):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    pod_id = await foreign(world, "notebook")
    await talk.types(alice, "/pod claim notebook")
    await sent(world)
    told = await talk.types(bob, "/pod claim notebook")
    await sent(world)
    before = await whose(world, pod_id)
    await later(world)

    await talk.clicks(dana, "Confirm")

    assert "says that" in told
    assert before.grade is Grade.CONFLICTING
    assert (await whose(world, pod_id)).owner == bob.id


async def test_an_admin_who_says_that_a_claim_on_a_proved_pod_is_wrong_decides_for_its_owner(
    world: World, talk: Talk
):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)
    claim = Claim(PodId(pod_id), UserId(bob.id), world.clock.now(), ClaimSource.AGENT)
    claim_id = await world.house.db.run(lambda session: say(session, claim))
    before = await whose(world, pod_id)
    await later(world)

    await dana.in_("#gpu-ops").sends_action("claim_object", claim_id)
    await talk.settled()

    after = await whose(world, pod_id)
    assert before.grade is Grade.CONFLICTING
    assert (after.grade, after.owner, after.may_end) == (Grade.PROVED, alice.id, True)


async def test_a_conflict_is_ended_by_who_withdraws(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await foreign(world, "notebook")
    await talk.types(alice, "/pod claim notebook")
    await talk.types(bob, "/pod claim notebook")
    await later(world)

    await talk.types(bob, "/pod unclaim notebook")

    assert (await whose(world, pod_id)).owner == alice.id


async def test_a_pod_that_is_proved_for_somebody_else_cannot_be_claimed(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)

    told = await talk.types(bob, "/pod claim train")

    assert "I rented" in told
    assert (await whose(world, pod_id)).grade is Grade.PROVED


@pytest.mark.parametrize("who", ["gus", "uma"])
async def test_guests_claim_nothing(world: World, talk: Talk, who: str):
    pod_id = await foreign(world, "notebook")

    told = await talk.types(world.slack.people[who], "/pod claim notebook", in_="dm")

    assert "Only full members" in told
    assert (await whose(world, pod_id)).owner is None


async def test_a_given_pod_is_the_receivers_once_accepted(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)

    await talk.types(alice, "/pod give train @bob")
    await sent(world)
    before = await whose(world, pod_id)
    await talk.clicks(bob, "Accept")
    await sent(world)

    after = await whose(world, pod_id)
    assert before.owner == alice.id
    assert (after.owner, after.grade, after.created_for) == (bob.id, Grade.PROVED, alice.id)
    await world.slack.people.carol.sees("has it from", in_=OPS)


async def test_an_offer_to_somebody_else_cannot_be_accepted(world: World, talk: Talk):
    alice, carol = world.slack.people.alice, world.slack.people.carol
    pod_id = await owned(world, "train", alice.id)
    await talk.types(alice, "/pod give train @bob")
    await sent(world)
    offers = select(HandOverRow.id)
    [offer] = await world.house.db.read(lambda session: list(session.exec(offers)))

    await carol.sends_action("give_accept", offer)
    await talk.settled()

    assert (await whose(world, pod_id)).owner == alice.id


@pytest.mark.parametrize(
    ("who", "sentence"),
    [("robo", "is a bot"), ("dee", "not active"), ("gus", "is a guest"), ("alice", "already")],
)
async def test_a_pod_is_given_to_active_members_only(world: World, talk: Talk, who: str, sentence: str):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)

    told = await talk.types(alice, f"/pod give train @{who}")

    assert sentence in told


async def test_nobody_gives_what_is_somebody_elses(world: World, talk: Talk):
    alice, bob, dana = world.slack.people.alice, world.slack.people.bob, world.slack.people.dana
    await owned(world, "train", alice.id)

    assert "only they can give it" in await talk.types(bob, "/pod give train @bob")
    assert "is still here" in await talk.types(dana, "/pod give train @bob")


async def test_a_pod_of_somebody_who_left_is_taken_over_once_an_admin_confirms(world: World, talk: Talk):
    dee, bob, dana = world.slack.people.dee, world.slack.people.bob, world.slack.people.dana
    pod_id = await owned(world, "train", dee.id)

    await bob.sends_action("take_over", pod_id)
    await talk.settled()
    await sent(world)
    before = await whose(world, pod_id)
    await talk.clicks(dana, "Confirm")

    assert before.owner == dee.id
    assert (await whose(world, pod_id)).owner == bob.id


async def test_a_pod_of_somebody_who_is_here_is_not_taken_over(world: World, talk: Talk):
    alice, dana = world.slack.people.alice, world.slack.people.dana
    pod_id = await owned(world, "train", alice.id)

    await dana.sends_action("take_over", pod_id)
    await talk.settled()

    await dana.sees("is still here")
    assert (await whose(world, pod_id)).owner == alice.id


async def test_mine_below_a_pod_of_nobody_claims_it(world: World, talk: Talk):
    bob = world.slack.people.bob
    pod_id = await foreign(world, "notebook")

    await bob.sends_action("claim", pod_id)
    await talk.settled()

    assert (await whose(world, pod_id)).owner == bob.id


async def test_the_same_claim_again_changes_nothing(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await foreign(world, "notebook")
    await claimed(world, pod_id, alice.id)
    since = (await whose(world, pod_id)).may_end_from
    await world.clock.pass_by(timedelta(hours=1))

    told = await talk.types(alice, "/pod claim notebook")

    assert "yours already" in told
    assert (await whose(world, pod_id)).may_end_from == since
