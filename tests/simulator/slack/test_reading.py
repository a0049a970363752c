"""What a person reads: markup, mentions, dates in their own zone, blocks as plain text."""

from datetime import UTC, datetime

import pytest

from simulator.clock import ManualClock
from simulator.slack import Manifest
from simulator.slack.jsontypes import JsonObject
from simulator.slack.render.blocks import block_lines
from simulator.slack.render.mrkdwn import Reader
from simulator.slack.workspace import SlackWorkspace, furnish
from tests.simulator.slack.apps import button, plain, section

NOON = ManualClock(datetime(2026, 3, 2, 12, tzinfo=UTC))


def reader(name: str = "alice") -> Reader:
    workspace = SlackWorkspace(NOON, Manifest())
    furnish(workspace)
    user = workspace.user(name)
    assert user is not None
    return Reader(workspace, user)


def at(moment: datetime, form: str) -> str:
    return f"<!date^{int(moment.timestamp())}^{form}|fallback>"


@pytest.mark.parametrize(
    ("markup", "read"),
    [
        ("hello <@U0BOB>", "hello @bob"),
        ("<@U0NOBODY|old name>", "@old name"),
        ("in <#C0GPUOPS>", "in #gpu-ops"),
        ("<!channel> <!here>", "@channel @here"),
        ("<!subteam^S1|@crew>", "@crew"),
        ("<https://example.com|the page>", "the page <https://example.com>"),
        ("<https://example.com>", "https://example.com"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("&lt;@U0BOB&gt;", "<@U0BOB>"),
        ("*bold* _it_ `code`", "*bold* _it_ `code`"),
    ],
)
def test_markup_is_read_as_slack_shows_it(markup: str, read: str) -> None:
    assert reader().plain(markup) == read


@pytest.mark.parametrize(
    ("person", "read"), [("alice", "6:00 PM"), ("bob", "12:00 PM"), ("carol", "2:00 AM"), ("dana", "5:00 PM")]
)
def test_a_time_is_read_in_the_readers_zone(person: str, read: str) -> None:
    assert reader(person).plain(at(datetime(2026, 3, 1, 17, tzinfo=UTC), "{time}")) == read


@pytest.mark.parametrize(
    ("form", "read"),
    [
        ("{date_num}", "2026-03-01"),
        ("{date}", "March 1st, 2026"),
        ("{date_short}", "Mar 1, 2026"),
        ("{date_long}", "Sunday, March 1st, 2026"),
        ("{date_short_pretty} at {time}", "yesterday at 5:00 PM"),
        ("{time_secs}", "5:00:00 PM"),
        ("{ago}", "19 hours ago"),
    ],
)
def test_each_form_of_a_date_is_read_as_slack_documents_it(form: str, read: str) -> None:
    assert reader("dana").plain(at(datetime(2026, 3, 1, 17, tzinfo=UTC), form)) == read


def test_a_broken_date_is_read_as_its_fallback() -> None:
    assert reader().plain("<!date^soon^{date}|some day>") == "some day"


BLOCKS: list[JsonObject] = [
    {"type": "header", "text": plain("Pod p1")},
    section("*stale* since <!date^0^{date_num}|then>"),
    {"type": "section", "fields": [plain("GPU"), plain("H100")], "accessory": button("Why?", "why")},
    {
        "type": "context",
        "elements": [plain("seen"), {"type": "image", "image_url": "u", "alt_text": "chart"}],
    },
    {"type": "divider"},
    {
        "type": "actions",
        "elements": [
            button("Keep", "k"),
            {"type": "overflow", "action_id": "o", "options": []},
            {"type": "static_select", "action_id": "s", "placeholder": plain("Keep for…"), "options": []},
        ],
    },
    {"type": "input", "label": plain("Name"), "element": {"type": "plain_text_input", "action_id": "v"}},
    {"type": "image", "image_url": "u", "alt_text": "money"},
    {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, {"type": "raw_text", "text": "b"}]]},
    {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [{"type": "text", "text": "by "}, {"type": "user", "user_id": "U0BOB"}],
            }
        ],
    },
]


def test_blocks_are_read_line_by_line_with_what_can_be_pressed_in_brackets() -> None:
    assert block_lines(BLOCKS, reader()) == [
        "Pod p1",
        "*stale* since 1970-01-01",
        "GPU",
        "H100",
        "[Why?]",
        "seen  (image: chart)",
        "────",
        "[Keep]  [⋯]  [Keep for… ▾]",
        "Name: { }",
        "(image: money)",
        "a | b",
        "by @bob",
    ]


def test_plain_text_is_shown_as_it_is() -> None:
    assert block_lines([{"type": "section", "text": plain("<@U0BOB> &amp;")}], reader()) == ["<@U0BOB> &amp;"]
