"""What cannot be right is answered privately: the thing is named and what would be right; nothing is done."""

import pytest

from tests.bot.account import foreign
from tests.bot.talk import Talk
from tests.world import World

GPU = "--gpu 'H100 SXM'"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (f"provision train {GPU} --fore 8h", ("--fore", "--for")),
        ("provision train --gpu H900", ("H900", "H100")),
        (f"provision train {GPU} --count 0", ("count", "1")),
        (f"provision train {GPU} --count 99", ("count", "99")),
        (f"provision 'my \"pod\"' {GPU}", ("name",)),
        (f"provision 'my\npod' {GPU}", ("name",)),
        (f"provision trän🚀 {GPU}", ("name",)),
        (f"provision {'x' * 300} {GPU}", ("48",)),
        (f"provision train {GPU} --for 0s", ("0s",)),
        (f"provision train {GPU} --for soon", ("soon", "8h")),
        (f"provision train {GPU} --task {'x' * 8000}", ("8,000", "file")),
        (f"provision train {GPU} --disk -5", ("disk",)),
        (f"provision train {GPU} --env NOVALUE", ("NOVALUE", "NAME=VALUE")),
        (f"provision train 'unclosed {GPU}", ("quot",)),
        ("terminate nothing-like-it", ("nothing-like-it",)),
        ("keep notebook soon", ("soon",)),
        ("keep notebook 99w", ("14d",)),
        ("give notebook bob", ("/pod give",)),
        ("key add nonsense", ("key",)),
        ("gpus H900", ("H900",)),
        ("audit nothing-like-it", ("nothing-like-it",)),
        ("ssh nothing-like-it", ("nothing-like-it",)),
        ("logs nothing-like-it", ("nothing-like-it",)),
        ("cancel nothing-like-it", ("nothing-like-it",)),
        ("lst", ("lst", "list")),
        ("x" * 8000, ("help",)),
    ],
)
async def test_what_cannot_be_right_is_named_privately_and_nothing_is_done(
    world: World, talk: Talk, typed: str, words: tuple[str, ...]
) -> None:
    alice, bob = world.slack.people.alice, world.slack.people.bob
    await foreign(world, "notebook")
    before, changing = len(list(world.runpod.fleet.ever())), _changing(world)

    told = await talk.types(alice, f"/pod {typed}")

    assert [word for word in words if word.lower() not in told.lower()] == [], told
    assert len(told) < 4000
    assert (len(list(world.runpod.fleet.ever())), _changing(world)) == (before, changing)
    assert bob.messages("#general") == []


async def test_a_name_that_fits_several_is_answered_with_all_of_them(world: World, talk: Talk) -> None:
    ids = [await foreign(world, "notebook") for _ in range(2)]

    told = await talk.types(world.slack.people.alice, "/pod terminate notebook")

    assert all(pod_id in told for pod_id in ids)
    assert _changing(world) == 0


def _changing(world: World) -> int:
    return sum(call.method != "GET" and "graphql" not in call.path for call in world.runpod.calls)
