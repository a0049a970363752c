"""`/pod list`, `/pod ssh`, `/pod gpus`: looking."""

from datetime import timedelta

from pods.snapshot import Snapshot
from tests.bot.account import claimed, foreign, looked, owned
from tests.bot.talk import Talk, value_of
from tests.world import World


async def test_without_pods_it_says_so(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod list")

    assert "You have no pods." in told


async def test_pods_of_others_are_counted_and_shown_on_request(world: World, talk: Talk):
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await owned(world, "train", alice.id)

    mine = await talk.types(bob, "/pod list")
    every = await talk.types(bob, "/pod list all")

    assert "There are 1 of others" in mine
    assert "*train*" in every
    assert f"<@{alice.id}>" in every or "@alice" in every


async def test_a_pod_shows_what_it_does_and_costs(world: World, talk: Talk):
    alice = world.slack.people.alice
    await owned(world, "train", alice.id)

    told = await talk.types(alice, "/pod list")

    assert "running" in told
    assert "/h" in told


async def test_a_claimed_pod_is_among_mine(world: World, talk: Talk):
    alice = world.slack.people.alice
    await claimed(world, await foreign(world, "notebook"), alice.id)

    assert "*notebook*" in await talk.types(alice, "/pod list mine")


async def test_a_list_that_is_neither_mine_nor_all_is_declined(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod list yours")

    assert "`mine` or `all`" in told


async def test_a_thousand_pods_are_paged_within_slacks_limits(world: World, talk: Talk):
    for number in range(1000):
        world.runpod.rent(f"pod-{number:04}", created=timedelta(hours=2), exited=timedelta(hours=1))
    await looked(world)
    alice = world.slack.people.alice

    first = await talk.types(alice, "/pod list all")
    second = await talk.clicks(alice, "More")
    again = await talk.clicks(alice, "Back")

    assert "1 to 15 of 1,000, and 985 more" in first
    assert "16 to 30 of 1,000" in second
    assert "1 to 15 of 1,000" in again
    assert not [call for call in world.slack.log.calls if not (call.answer or {}).get("ok", True)]


async def test_a_list_is_turned_by_whom_it_was_shown_to_only(world: World, talk: Talk):
    for number in range(20):
        world.runpod.rent(f"pod-{number:04}", created=world.clock.now() - timedelta(hours=1))
    await looked(world)
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await talk.types(alice, "/pod list all")
    page = value_of(alice, "page_next")

    await bob.sends_action("page_next", page)
    await talk.settled()

    await bob.sees("This list is not there any more")


async def test_ssh_shows_how_to_connect(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    pod = await world.house.runpod.get_pod(pod_id)
    assert isinstance(pod, Snapshot)
    assert pod.ssh is not None

    told = await talk.types(alice, "/pod ssh train")

    assert f"ssh root@{pod.ssh.host} -p {pod.ssh.port}" in told


async def test_ssh_to_a_stopped_pod_says_that_it_is_stopped(world: World, talk: Talk):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    world.runpod.console.stop(pod_id, by="console:alice")
    await looked(world)

    assert "stopped" in await talk.types(alice, "/pod ssh train")


async def test_an_unknown_pod_is_answered_with_near_names(world: World, talk: Talk):
    await foreign(world, "notebook")

    told = await talk.types(world.slack.people.alice, "/pod ssh notebok")

    assert "I know no pod `notebok`. Did you mean `notebook`?" in told


async def test_a_name_that_fits_several_pods_is_listed_and_never_guessed(world: World, talk: Talk):
    first, second = await foreign(world, "twin"), await foreign(world, "twin")

    told = await talk.types(world.slack.people.alice, "/pod terminate twin")

    assert "fits several pods" in told
    assert first in told
    assert second in told
    assert not world.runpod.calls.terminates()


async def test_gpus_are_listed_with_price_and_stock(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod gpus h100")

    assert "NVIDIA H100" in told
    assert "$" in told
    assert "stock:" in told


async def test_an_unknown_gpu_is_answered_with_near_ones(world: World, talk: Talk):
    told = await talk.types(world.slack.people.alice, "/pod gpus h10O")

    assert "There is no GPU type with `h10O`" in told
    assert "NVIDIA H100" in told


async def test_an_unreachable_provider_is_named(world: World, talk: Talk):
    await world.runpod.goes_down()

    told = await talk.types(world.slack.people.alice, "/pod gpus")
    await world.runpod.comes_back()

    assert "RunPod's list of GPU types cannot be read" in told
