"""The digest, the weekly list and the list of who left: what they say, once, and whom they call."""

from collections.abc import Sequence
from datetime import date, timedelta

from sqlmodel import select

from jobs.digest.figures import span_of
from jobs.digest.passing import Digest
from jobs.digest.picture import Picture
from jobs.observe.looking import Observer
from jobs.people import People
from jobs.unowned import Unowned
from pods.ids import PodId
from simulator.slack.client.handles import SeenMessage
from storage.agent import add_agent, agent
from storage.keep import Keep, give_keep, keeps_of
from storage.outbox import Letter, OutboxRow, send
from storage.pod import mark_gone
from tests.bot.account import owned
from tests.bot.asking import opened, sent
from tests.bot.talk import Talk
from tests.ledger import enter
from tests.world import World

DAY = timedelta(days=1)


async def observed(world: World) -> None:
    """Two complete looks, so that there is history."""
    observer = Observer(world.house)
    for _ in range(2):
        await world.clock.pass_by(timedelta(minutes=1))
        await observer.run()


def the_list(messages: Sequence[SeenMessage], words: str) -> str:
    """The message that says this."""
    [found] = [message.plain for message in messages if words in message.plain]
    return found


async def kinds(world: World) -> list[str]:
    return await world.house.db.read(lambda session: list(session.exec(select(OutboxRow.kind))))


async def test_the_first_line_is_money_and_people_without_a_task_are_not_called(world: World):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pod_id = await owned(world, "train", alice.id)
    await owned(world, "other", bob.id)
    await observed(world)
    await world.clock.pass_by(DAY)
    await observed(world)
    await opened(world, pod_id, alice.id)

    await Digest(world.house).run()
    await sent(world)

    digest = next(message for message in bob.messages("#gpu-ops") if "Yesterday" in message.plain)
    assert digest.plain.split("\n")[0].startswith("*Yesterday $")
    assert "@alice (1)" in digest.plain
    assert "@bob" not in digest.plain
    assert "The trail has" in digest.plain


async def test_while_disarmed_it_says_what_it_would_have_ended_and_saved(world: World):
    alice = world.slack.people.alice
    observer = Observer(world.house)
    world.runpod.rent("somebodys", created=world.runpod.ago(hours=50))
    await observed(world)
    stuck = world.runpod.rent("train", stuck_in="RUNNING")
    now = world.clock.now()
    await world.house.db.run(lambda session: enter(session, stuck.id, alice.id, now))
    for _ in range(23):
        await world.clock.pass_by(timedelta(minutes=1))
        await observer.run()

    await Digest(world.house).run()
    await sent(world)

    await world.slack.people.bob.sees(
        "Armed for `never-ran`, I would have ended 1 pod and saved $71.76 a day", in_="#gpu-ops"
    )


async def test_it_is_sent_once_however_often_it_runs(world: World):
    await owned(world, "train", world.slack.people.alice.id)
    await observed(world)

    for _ in range(3):
        await Digest(world.house).run()

    assert (await kinds(world)).count("digest") == 1


async def test_the_picture_is_in_the_thread_once_with_words_for_who_cannot_see_it(world: World):
    await owned(world, "train", world.slack.people.alice.id)
    await observed(world)
    await Digest(world.house).run()
    await sent(world)

    for _ in range(2):
        await Picture(world.house).run()

    [shown] = world.slack.log.calls_of("files.getUploadURLExternal")
    assert "dollars a day" in str(shown.args["alt_txt"])
    assert len(world.slack.log.calls_of("files.completeUploadExternal")) == 1


async def test_there_is_no_picture_before_the_digest(world: World):
    await Picture(world.house).run()

    assert world.slack.log.calls_of("files.getUploadURLExternal") == []


def test_a_day_on_which_the_clocks_change_is_as_long_as_it_is() -> None:

    since, until = span_of(date(2026, 3, 29), "Europe/Berlin")

    assert until.timestamp() - since.timestamp() == 23 * 3600


async def test_the_list_of_nobodys_pods_is_by_cost_with_mine(world: World):
    world.runpod.rent("cheap", gpu="NVIDIA A40")
    world.runpod.rent("notebook")
    await observed(world)

    await Unowned(world.house).run()
    await sent(world)

    bob = world.slack.people.bob
    await bob.sees("Nobody has said whose these 2 pods are", in_="#gpu-ops")
    await bob.sees_button("Mine", in_="#gpu-ops")


async def test_a_list_shows_of_each_pod_that_was_claimed_since_whose_it_is(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pods = [world.runpod.rent(name) for name in ("notebook", "other")]
    await observed(world)
    await Unowned(world.house).run()
    await sent(world)

    await talk.types(alice, f"/pod claim {pods[0].id}")
    await sent(world)
    one = the_list(bob.messages("#gpu-ops"), "had said whose these 2 pods are; one of those shown is claimed")
    await talk.types(alice, f"/pod claim {pods[1].id}")
    await sent(world)
    both = the_list(bob.messages("#gpu-ops"), "said of each of these pods that it is theirs")
    await world.clock.pass_by(timedelta(seconds=1))
    await talk.types(alice, f"/pod unclaim {pods[1].id}")
    await sent(world)
    again = the_list(bob.messages("#gpu-ops"), "one of those shown is claimed")

    assert [text.count("[Mine]") for text in (one, both, again)] == [1, 0, 1]
    assert [text.count("@alice") for text in (one, both, again)] == [1, 2, 1]


async def test_the_first_days_list_shows_whose_a_pod_is_once_it_was_claimed(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    pods = [world.runpod.rent(name) for name in ("notebook", "other")]
    await observed(world)
    hello = Letter("first day", world.house.ops_channel, "first_day")
    await world.house.db.run(lambda session: send(session, hello, world.clock.now()))
    await sent(world)
    before = the_list(bob.messages("#gpu-ops"), "Hello!")

    await alice.sends_action("claim", pods[0].id)
    await talk.settled()
    await sent(world)
    after = the_list(bob.messages("#gpu-ops"), "Hello!")

    assert (before.count("[Mine]"), before.count("nobody has said whose it is")) == (2, 2)
    assert (after.count("[Mine]"), after.count("nobody has said whose it is")) == (1, 1)
    assert after.index("other") < after.index("notebook")
    assert "@alice" in after


async def test_a_pod_that_is_gone_leaves_the_list_of_nobodys_pods(world: World):
    pods = [world.runpod.rent(name) for name in ("notebook", "other")]
    await observed(world)
    await Unowned(world.house).run()
    await sent(world)

    gone = [PodId(pods[0].id)]
    await world.house.db.run(lambda session: mark_gone(session, gone, world.clock.now(), "404"))
    await sent(world)

    shown = world.slack.people.bob.messages("#gpu-ops")[-1].plain
    assert "other" in shown
    assert "notebook" not in shown


async def test_an_unchanged_list_is_not_said_again(world: World):
    world.runpod.rent("notebook")
    await observed(world)
    await Unowned(world.house).run()

    await world.clock.pass_by(7 * DAY)
    await observed(world)
    await Unowned(world.house).run()

    assert (await kinds(world)).count("unowned") == 1


async def test_a_hundred_pods_of_nobody_are_all_listed(world: World):
    for number in range(100):
        world.runpod.rent(f"pod-{number}")
    await observed(world)

    await Unowned(world.house).run()
    for _ in range(2):
        await sent(world)
        await world.clock.pass_by(timedelta(seconds=5))
    await sent(world)

    shown = [message.plain for message in world.slack.people.bob.messages("#gpu-ops")]
    assert [n for n in range(100) if not any(f"pod-{n}" in text for text in shown)] == []


async def test_an_owner_who_left_is_told_of_once_with_take_over(world: World):
    alice, now = world.slack.people.alice, world.clock.now()
    pod_id = await owned(world, "train", alice.id)
    await observed(world)
    long = Keep("k", pod_id, alice.id, "person", now, now + 12 * DAY)
    await world.house.db.run(lambda session: give_keep(session, long))
    await world.house.db.run(lambda session: add_agent(session, "ci", alice.id, alice.id, now))
    await People(world.house).run()
    before = (await kinds(world)).count("owner_left")

    world.slack.workspace.deactivate(alice.id)
    for _ in range(2):
        await world.clock.pass_by(timedelta(hours=7))
        await People(world.house).run()
    await sent(world)

    [keep] = await world.house.db.read(lambda session: keeps_of(session, pod_id))
    ci = await world.house.db.read(lambda session: agent(session, "ci"))
    assert before == 0
    assert (await kinds(world)).count("owner_left") == 1
    assert keep.until is not None
    assert keep.until <= world.clock.now() + 7 * DAY
    assert ci is not None
    assert ci.suspended_at is not None
    await world.slack.people.bob.sees_button("Take over", in_="#gpu-ops")
