"""An end from the typed command to the last message, through the running service and its clocks."""

from datetime import timedelta

from storage.deed import DeedState, deeds_of
from tests.bot.account import owned
from tests.bot.talk import Talk
from tests.world import World

MINUTE = timedelta(minutes=1)


async def test_the_owner_says_yes_and_reads_that_the_pod_is_gone_once_that_is_proved(
    world: World, talk: Talk
) -> None:
    alice = world.slack.people.alice
    other_id = await owned(world, "other", alice.id)
    pod_id = await owned(world, "train", alice.id)
    for _ in range(2):
        await world.passes(MINUTE)
        await talk.works()
    await talk.types(alice, "/pod terminate train")
    await talk.clicks(alice, "Terminate")

    told = ""
    for _ in range(8):
        await world.passes(MINUTE)
        await talk.works(rounds=2)
        if "is gone: ended at" in (told := alice.reads("dm")):
            break

    assert "is gone: ended at" in told
    [deed] = await world.house.db.read(lambda session: deeds_of(session, pod_id))
    assert deed.state is DeedState.DONE
    assert [call.pod_id for call in world.runpod.calls.terminates()] == [pod_id]
    assert world.runpod.truth(other_id).ended_by is None
