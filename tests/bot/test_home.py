"""The Home tab: what is mine, what waits for me, and for admins the fleet."""

from datetime import timedelta

from sqlmodel import Session

from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource
from storage.claim import say
from storage.keep import keeps_of
from storage.switch import Switch, set_switch
from storage.switches import ARMED_STALE
from tests.bot.account import foreign, looked, owned
from tests.bot.asking import opened
from tests.bot.talk import Talk
from tests.world import World


async def test_home_shows_my_pods_with_money_and_not_those_of_others(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await owned(world, "train", alice.id)
    await owned(world, "bobs", bob.id)

    await alice.opens_home()
    await talk.settled()

    await alice.sees("You have 1 pod", in_="home")
    await alice.sees("train", in_="home")
    await alice.sees_not("bobs", in_="home")


async def test_home_without_pods_says_how_to_get_one(world: World, talk: Talk):
    await looked(world)

    await world.slack.people.carol.opens_home()
    await talk.settled()

    await world.slack.people.carol.sees("You have no pods", in_="home")


async def test_an_open_question_is_answered_from_home(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    await opened(world, pod_id, alice.id)
    await alice.opens_home()
    await talk.settled()

    await alice.clicks("Keep 1 day", in_="home")
    await talk.settled()

    assert len(await world.house.db.read(lambda session: keeps_of(session, pod_id))) == 1
    await alice.sees("kept until", in_="home")
    await alice.sees_no_button("Keep 1 day", in_="home")


async def test_a_thousand_pods_stay_within_slacks_limits_and_can_be_paged(world: World, talk: Talk):
    alice = world.slack.people.alice
    then = timedelta(hours=1)
    ids = [world.runpod.rent(f"pod-{n}", created=then, exited=then).id for n in range(1000)]
    await looked(world)
    now = world.clock.now()

    def claim_all(session: Session) -> None:
        for pod_id in ids:
            say(session, Claim(PodId(pod_id), UserId(alice.id), now, ClaimSource.PERSON))

    await world.house.db.run(claim_all)
    await alice.opens_home()
    await talk.settled()
    await alice.sees("1 to 15 of 1,000, and 985 more", in_="home")

    await alice.clicks("More", in_="home")
    await talk.settled()

    await alice.sees("16 to 30 of 1,000", in_="home")
    assert len(alice.home.blocks if alice.home else []) <= 100


async def test_admins_see_the_fleet_what_is_armed_and_the_clocks(world: World, talk: Talk):
    dana, alice = world.slack.people.dana, world.slack.people.alice
    await foreign(world, "notebook")
    armed = Switch(ARMED_STALE, "on", dana.id, world.clock.now())
    await world.house.db.run(lambda session: set_switch(session, armed))

    await dana.opens_home()
    await alice.opens_home()
    await talk.settled()

    await dana.sees("`stale` is armed", in_="home")
    await dana.sees("1 without an owner", in_="home")
    await dana.sees("Last passes", in_="home")
    await alice.sees_not("Last passes", in_="home")
