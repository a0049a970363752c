"""Cards for extreme data: within Slack's limits, by the simulated Slack and by a library's own count."""

from datetime import timedelta

import pytest
from slack_sdk.models.blocks import Block
from sqlmodel import Session

from bot.approvals.asked import asked
from bot.approvals.card import draw_card
from bot.letters import letters
from jobs.outbox.kinds import Message
from tests.bot.account import foreign, looked, owned
from tests.bot.asking import opened, prepared_together, sent
from tests.world import World

HOSTILE = "<!channel> <@U0BOB> *bold* `code` ```" + "x" * 150
REASONS = (
    "never_ran",
    "never_ran_kept",
    "never_ran_unproved",
    "never_ran_unwatched",
    "error_state",
    "lost_runtime",
    "provision_failed",
    "moved_or_copied",
    "conflicting_claims",
    "stale",
    "agent_asks",
    "person_asks",
    "something_new",
)


@pytest.fixture
def engine_name() -> str:
    """Drawing does not depend on the engine."""
    return "sqlite"


@pytest.mark.parametrize("kind", ["card", "notice"])
@pytest.mark.parametrize("reason", REASONS)
async def test_every_card_is_taken_by_slack_and_valid_by_its_library(world: World, kind: str, reason: str):
    alice = world.slack.people.alice
    pod_id = await owned(world, "train", alice.id)
    facts = {"why": HOSTILE * 20, "said": HOSTILE * 20, "agent": HOSTILE}

    question_id = await opened(
        world, pod_id, alice.id, reason, kind, facts=facts, asked_by=world.slack.people.bob.id
    )

    def draw(session: Session) -> Message:
        about = asked(session, question_id, world.house)
        assert about is not None
        return draw_card(session, about, world.house, world.clock.now())

    message = await world.house.db.read(draw)
    for block in Block.parse_all([dict(each) for each in message.blocks]):
        block.validate_json()
    assert all((call.answer or {}).get("ok") is True for call in world.slack.log.calls_of("chat.postMessage"))
    assert "<!channel>" not in message.text


async def test_a_name_full_of_controls_calls_nobody(world: World):
    alice = world.slack.people.alice
    pod = world.runpod.rent(HOSTILE)
    await looked(world)

    await opened(world, pod.id, alice.id, "stale")

    [call] = world.slack.log.calls_of("chat.postMessage")
    assert "<!channel>" not in str(call.args)


async def test_two_hundred_questions_to_one_owner_are_one_message_within_the_limits(world: World):
    alice = world.slack.people.alice
    pod_ids = [await foreign(world, "notebook")]
    then = timedelta(hours=1)
    pod_ids += [world.runpod.rent(f"pod-{number}", created=then, exited=then).id for number in range(200)]
    await looked(world)
    await prepared_together(world, pod_ids, alice.id)

    await sent(world)

    [card] = alice.messages("dm")
    assert "201 pods need a decision" in card.plain
    assert len(card.blocks) <= 50


def test_every_kind_that_a_job_writes_is_drawn_by_somebody(world: World) -> None:
    written = {
        "card", "notice", "reminder", "pod_state", "claim_announced", "digest", "digest_table", "unowned",
        "owner_left", "deed_told", "switch_set", "first_day", "limit_exceeded",
    }  # fmt: skip

    assert written <= letters(world.house).keys()
