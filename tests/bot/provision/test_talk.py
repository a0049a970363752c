"""People order pods in Slack, see how it goes, and change their minds."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.bot.talk import Talk, serving
from tests.jobs.provision.launching import quick
from tests.world import World

ORDER = "/pod provision train --gpu 'H100 SXM' --count 2 --for 8h"


@pytest.fixture
async def talk(world: World, tmp_path: Path) -> AsyncIterator[Talk]:
    """People who talk to a service whose pods are there soon and have nothing to do."""
    world.runpod.quirks.every_pod(pull_s=4)
    world = quick(world, tmp_path)
    async with serving(world) as service:
        yield Talk(world, service)


async def goes_on_until(
    talk: Talk, is_so: Callable[[], bool], within: timedelta = timedelta(hours=2)
) -> None:
    """Time passes, in steps that leave the service room to work, until it is so."""
    world = talk.world
    end = world.clock.now() + within
    while not is_so():
        assert world.clock.now() < end, world.slack.people.alice.reads("#general")
        await world.passes(timedelta(seconds=2))
        await talk.works()


async def test_an_order_lives_in_a_thread_that_mentions_its_asker_once_at_the_end(talk: Talk) -> None:
    alice, bob = talk.world.slack.people.alice, talk.world.slack.people.bob
    assert "`train` is on its way" in await talk.types(alice, ORDER)
    await goes_on_until(talk, lambda: "is ready" in bob.reads("#general"))
    seen = bob.reads("#general")
    assert seen.count("@alice") == 1
    assert seen.index("PROVISION: id=") < seen.index("WAIT: ssh=20m") < seen.index("POD: name=train")
    assert seen.index("FENCE: terminates_at=2026-03-02T20:00:") < seen.index("PREFLIGHT: PASS rc=0")
    assert seen.index("BOOTSTRAP-OK pod=train") < seen.index("SSH: ssh root@127.0.0.1")
    assert "$5.98/h" in seen
    assert "$47.84 at most. Lost then" in seen


async def test_the_first_message_tells_when_the_pod_is_stopped_later(talk: Talk) -> None:
    world, alice = talk.world, talk.world.slack.people.alice
    await talk.types(alice, ORDER)
    await goes_on_until(talk, lambda: "is ready" in alice.reads("#general"))
    (pod,) = world.runpod.fleet.present()
    world.runpod.console.stop(pod.id, by="console:alice")
    bob = world.slack.people.bob
    await goes_on_until(talk, lambda: "stopped, seen" in bob.reads("#general").replace("*", ""))
    head = bob.messages("#general")[0].plain
    assert "Nothing runs on it any more" in head
    assert "[Stop]" not in head
    assert "[Terminate]" in head


async def test_the_answer_to_an_order_is_private(talk: Talk) -> None:
    alice, bob = talk.world.slack.people.alice, talk.world.slack.people.bob
    await talk.types(alice, ORDER)
    assert "on its way" not in bob.reads("#general")


async def test_a_gpu_that_fits_several_types_is_listed_with_prices_and_nothing_is_ordered(talk: Talk) -> None:
    said = await talk.types(talk.world.slack.people.alice, "/pod provision train --gpu H100")
    assert "H100` fits several GPU types" in said
    assert "$2.39 an hour each" in said
    assert "Nothing was ordered" in said
    assert not list(talk.world.runpod.fleet.ever())


async def test_a_name_in_use_is_refused_and_says_whose_it_is(talk: Talk) -> None:
    people = talk.world.slack.people
    await talk.types(people.alice, ORDER)
    said = await talk.types(people.bob, ORDER)
    assert "`train` is in use by @alice" in said


async def test_an_order_that_slack_delivers_twice_is_one_order(talk: Talk) -> None:
    world = talk.world
    world.slack.faults.duplicate()
    await talk.types(world.slack.people.alice, ORDER)
    await goes_on_until(talk, lambda: "is ready" in world.slack.people.alice.reads("#general"))
    assert len(list(world.runpod.fleet.ever())) == 1


async def test_where_the_bot_is_no_member_the_thread_is_a_direct_message_that_says_so(talk: Talk) -> None:
    alice = talk.world.slack.people.alice
    said = await talk.types(alice, ORDER, in_="#random")
    assert "I am not a member of this channel, so I tell you in a direct message." in said
    await goes_on_until(talk, lambda: "is ready" in alice.reads("dm"))
    assert "I am not a member of #random" in alice.reads("dm")
    assert "is ready" not in alice.reads("#random")


async def test_the_head_does_not_count_the_price_of_a_pod_that_somebody_stopped(talk: Talk) -> None:
    world, alice = talk.world, talk.world.slack.people.alice
    world.runpod.quirks.every_pod(ssh="refuses")
    await talk.types(alice, "/pod provision train --gpu 'H100 SXM' --count 2")
    await goes_on_until(talk, lambda: "costs that until somebody ends it" in alice.reads("#general"))
    world.runpod.console.stop(next(iter(world.runpod.fleet.ever())).id)
    await goes_on_until(talk, lambda: "Nothing runs on it any more" in alice.reads("#general"))
    assert "costs that until somebody ends it" not in alice.reads("#general")


async def test_call_off_before_a_machine_is_there_ends_without_a_pod(talk: Talk) -> None:
    world, alice = talk.world, talk.world.slack.people.alice
    world.runpod.fleet.catalogue.set_stock("NVIDIA H100 80GB HBM3", "NONE")
    await talk.types(alice, f"{ORDER} --wait-capacity 2h")
    await goes_on_until(talk, lambda: "no machine is free" in alice.reads("#general"))
    await talk.clicks(alice, "Call off")
    await goes_on_until(talk, lambda: "No pod is left" in alice.reads("#general"))
    assert "PROVISION-ENDED: reason=cancelled" in alice.reads("#general")
    assert not list(world.runpod.fleet.ever())


async def test_somebody_else_cannot_call_it_off(talk: Talk) -> None:
    people = talk.world.slack.people
    await talk.types(people.alice, ORDER)
    said = await talk.types(people.bob, "/pod cancel train")
    assert "Only @alice, who asked for it, or an admin may do that" in said


async def test_a_misspelt_name_is_answered_with_near_ones(talk: Talk) -> None:
    alice = talk.world.slack.people.alice
    await talk.types(alice, ORDER)
    said = await talk.types(alice, "/pod cancel trian")
    assert "no provision called `trian`" in said
    assert "Did you mean `train`?" in said


@pytest.mark.parametrize("verb", ["cancel", "retry", "logs"])
async def test_a_name_that_is_like_no_other_is_answered_with_a_right_command(talk: Talk, verb: str) -> None:
    said = await talk.types(talk.world.slack.people.alice, f"/pod {verb} nosuch")
    assert "no provision called `nosuch`. `/pod list mine` shows your pods" in said


async def test_the_form_orders_what_was_filled_in(talk: Talk) -> None:
    world, alice = talk.world, talk.world.slack.people.alice
    await alice.types("/pod provision")
    await talk.settled()
    alice.fills({"name": "train", "for": "8h", "task": "sweep-12"})
    await alice.picks("gpu", "NVIDIA H100 NVL (94 GB), $2.79 an hour each")
    await alice.submits()
    await talk.settled()
    await goes_on_until(talk, lambda: "is ready" in alice.reads("#general"))
    pod = next(iter(world.runpod.fleet.ever()))
    assert pod.order.gpu == "NVIDIA H100 NVL"
    assert "for `sweep-12`" in alice.reads("#general")


async def test_wrong_fields_are_answered_in_the_form(talk: Talk) -> None:
    alice = talk.world.slack.people.alice
    await alice.types("/pod provision")
    await talk.settled()
    alice.fills({"name": "Train 7B!", "for": "soon"})
    await alice.picks("gpu", "NVIDIA H100 NVL (94 GB), $2.79 an hour each")
    await alice.submits()
    shown = alice.reads("modal")
    assert "soon is not a duration" in shown
    assert "Train 7B!" in shown
    assert not list(talk.world.runpod.fleet.ever())


async def test_logs_are_shown_privately(talk: Talk) -> None:
    people = talk.world.slack.people
    await talk.types(people.alice, ORDER)
    await goes_on_until(talk, lambda: "is ready" in people.alice.reads("#general"))
    said = await talk.types(people.alice, "/pod logs train bootstrap")
    assert "hello" in said
    assert "Only @alice" in await talk.types(people.bob, "/pod logs train")


async def test_the_whole_log_is_a_file_in_the_thread(talk: Talk) -> None:
    world, alice = talk.world, talk.world.slack.people.alice
    await talk.types(alice, ORDER)
    await goes_on_until(talk, lambda: "file: train-bootstrap-1.log" in alice.reads("#general"))
    assert [file.content for file in world.slack.workspace.files.values()] == [b"hello\n"]


async def test_what_somebody_may_order_goes_by_who_they_are_now(talk: Talk) -> None:
    alice, workspace = talk.world.slack.people.alice, talk.world.slack.workspace
    workspace.change(alice.id, is_restricted=True)
    assert "Only active full members" in await talk.types(alice, ORDER)
    workspace.change(alice.id, is_restricted=False)
    assert "`train` is on its way" in await talk.types(alice, ORDER)
