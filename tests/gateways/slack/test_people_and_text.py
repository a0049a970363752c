"""Who somebody is, and how outside text stands in a message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateways.slack.errors import Undeliverable
from gateways.slack.person import Person, read_person
from gateways.slack.text import escaped, outside, shortened


async def test_a_plain_member_is_a_full_member_in_his_own_zone(workspace, slack):
    alice = await slack.user(workspace.people.alice.id)

    assert alice.full_member
    assert alice.zone == "Europe/Berlin"
    assert alice.name


@pytest.mark.parametrize(
    ("name", "what"),
    [("gus", "guest"), ("uma", "guest"), ("dee", "deactivated"), ("sam", "stranger"), ("robo", "bot")],
)
async def test_guests_strangers_bots_and_people_who_left_are_no_full_members(workspace, slack, name, what):
    person = await slack.user(workspace.people[name].id)

    assert getattr(person, what)
    assert not person.full_member


async def test_nobody_is_told_apart_from_somebody(slack):
    with pytest.raises(Undeliverable) as caught:
        await slack.user("U0NOBODY")

    assert caught.value.reason == "user_not_found"


def test_of_what_slack_does_not_say_the_worse_is_believed():
    person = read_person({}, user_id="U1", team_id="T1")

    assert person == Person("U1", "U1", None, deactivated=True, bot=True, guest=True, stranger=True)


@pytest.mark.parametrize("field", ["deleted", "is_bot", "is_restricted", "is_ultra_restricted", "team_id"])
def test_each_missing_fact_alone_makes_no_full_member(field):
    facts = {
        "deleted": False,
        "is_bot": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "team_id": "T1",
    }
    assert read_person(facts, user_id="U1", team_id="T1").full_member

    del facts[field]

    assert not read_person(facts, user_id="U1", team_id="T1").full_member


@pytest.mark.parametrize(
    "typed", ["<!channel>", "<@U123>", "<https://evil.example|click>", "a & b", "&lt;!here&gt;"]
)
def test_nothing_in_escaped_text_comes_alive(typed):
    shown = escaped(typed)

    assert "<" not in shown
    assert ">" not in shown
    assert shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == typed


def test_a_text_that_fits_is_shown_whole():
    assert outside("short & sweet\n\ttabbed", 100) == "short &amp; sweet\n\ttabbed"


def test_a_text_that_is_cut_says_so_and_breaks_no_escape():
    assert outside("<" * 100, 30) == "&lt;&lt;&lt;&lt;… (shortened)"


def test_control_characters_become_spaces():
    assert outside("a\x1b[31m\x00b\u202ec", 100) == "a [31m b c"


@given(st.text(), st.integers(min_value=0, max_value=40))
def test_outside_text_never_exceeds_its_length(typed, longest):
    assert len(outside(typed, longest)) <= longest
    assert len(shortened(typed, longest)) <= longest
