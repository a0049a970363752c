"""`manifest.yml` against what the bot does, and against Slack's rules for manifests."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.doctor.slack import SCOPES
from bot.tables import TABLES
from simulator.slack.manifest import Manifest

FILE = Path(__file__).resolve().parents[2] / "manifest.yml"
EVENTS_OF = {"message.im": "message", "message.channels": "message", "message.groups": "message"}
SCOPES_OF_EVENT = {"message.im": {"im:history"}, "app_home_opened": set()}


@pytest.fixture
def manifest() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text()))


def test_every_event_that_the_app_subscribes_to_has_a_listener(manifest: dict[str, Any]):
    subscribed = {
        EVENTS_OF.get(event, event) for event in manifest["settings"]["event_subscriptions"]["bot_events"]
    }

    assert subscribed == set(TABLES.events)


def test_every_scope_is_one_that_the_doctor_asks_for(manifest: dict[str, Any]):
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == SCOPES


def test_every_event_has_the_scope_that_slack_wants_for_it(manifest: dict[str, Any]):
    for event in manifest["settings"]["event_subscriptions"]["bot_events"]:
        assert SCOPES_OF_EVENT[event] <= SCOPES


def test_people_can_write_to_the_app(manifest: dict[str, Any]):
    home = manifest["features"]["app_home"]

    assert home["messages_tab_enabled"]
    assert not home["messages_tab_read_only_enabled"]


def test_mentions_arrive_as_ids(manifest: dict[str, Any]):
    [command] = manifest["features"]["slash_commands"]

    assert (command["command"], command["should_escape"]) == ("/pod", True)


def test_slacks_limits_hold(manifest: dict[str, Any]):
    """Source: docs.slack.dev, app manifest reference."""
    [command] = manifest["features"]["slash_commands"]

    assert len(manifest["display_information"]["name"]) <= 35
    assert len(manifest["display_information"]["description"]) <= 140
    assert len(manifest["features"]["bot_user"]["display_name"]) <= 80
    assert len(command["command"]) <= 32
    assert len(command["description"]) <= 2000
    assert len(command["usage_hint"]) <= 1000
    assert len(manifest["oauth_config"]["scopes"]["bot"]) <= 255


def test_buttons_and_forms_reach_us(manifest: dict[str, Any]):
    assert manifest["settings"]["interactivity"]["is_enabled"]


def test_the_simulated_slack_loads_it(manifest: dict[str, Any]):
    loaded = Manifest.parse(manifest)

    assert loaded.command("/pod") is not None
    assert loaded.socket_mode
    assert loaded.messages_tab
