"""What people are told about agents: escaped, cut, and true at the moment of sending."""

import json

import pytest

from bot.agents.messages import AGENT_KINDS, LONGEST, plain
from jobs.outbox.kinds import Message
from storage.agent import confirm_agent, remove_agent
from storage.columns import JsonObject
from tests.agents.house import ANN, House, letters

TOLD: JsonObject = {"agent": "scout", "owner": ANN, "generation": 1}


def drawn(house: House, kind: str, refs: JsonObject) -> Message | None:
    return house.database.read_now(lambda session: AGENT_KINDS[kind].render(session, refs, house.clock.now()))


async def posted(house: House, kind: str = "note") -> Message:
    [letter] = letters(house, kind)
    message = drawn(house, kind, letter.refs)
    assert message is not None
    return message


@pytest.mark.parametrize("word", ["<!channel>", "<@U123>", "<https://evil.example|runpod>", "a & b"])
async def test_nothing_in_a_note_mentions_links_or_calls_anybody(house: House, word: str) -> None:
    await house.send("note", text=word)

    message = await posted(house)

    assert word not in message.text
    assert plain(word) in message.text
    assert message.blocks[1] == {
        "type": "section",
        "text": {"type": "plain_text", "text": word, "emoji": False},
    }


async def test_a_long_note_is_cut_to_what_slack_takes(house: House) -> None:
    await house.send("note", text="x" * 10_000)

    message = await posted(house)

    words = "x" * (LONGEST - 1) + "…"
    assert message.blocks[1] == {
        "type": "section",
        "text": {"type": "plain_text", "text": words, "emoji": False},
    }


async def test_the_name_of_a_task_is_escaped_too(house: House) -> None:
    await house.send("note", text="hi", task="<!here>")

    assert "<!here>" not in (await posted(house, "note_task")).text


@pytest.mark.parametrize("kind", ["agent_added", "agent_rotated", "agent_removed"])
def test_admins_are_told_of_the_agent_and_its_owner(house: House, kind: str) -> None:
    message = drawn(house, kind, TOLD)

    assert message is not None
    assert "*scout*" in message.text
    assert f"<@{ANN}>" in message.text


def test_the_owner_is_asked_with_a_button_that_carries_the_agents_name(house: House) -> None:
    house.add("fresh", ANN, confirmed=False)

    message = drawn(house, "agent_confirm", {"agent": "fresh"})

    assert message is not None
    button = {
        "type": "button",
        "action_id": "agent_confirm",
        "value": "fresh",
        "style": "primary",
        "text": {"type": "plain_text", "text": "Yes, mine"},
    }
    assert message.blocks[1] == {"type": "actions", "elements": [button]}


def test_once_confirmed_the_question_is_drawn_without_its_button(house: House) -> None:
    house.add("fresh", ANN, confirmed=False)
    house.do(lambda session: confirm_agent(session, "fresh", house.clock.now()))

    message = drawn(house, "agent_confirm", {"agent": "fresh"})

    assert message is not None
    assert "agent_confirm" not in json.dumps(message.blocks)


def test_nobody_is_asked_about_an_agent_that_was_removed(house: House) -> None:
    house.do(lambda session: remove_agent(session, "scout", house.clock.now()))

    assert drawn(house, "agent_confirm", {"agent": "scout"}) is None
