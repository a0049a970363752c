"""A manifest switches on what it names and nothing else."""

import pytest

from simulator.slack import Manifest
from simulator.slack.jsontypes import JsonObject
from simulator.slack.manifest import SlashCommand

FULL: JsonObject = {
    "display_information": {"name": "Keeper"},
    "features": {
        "bot_user": {"display_name": "keeper"},
        "app_home": {"home_tab_enabled": True, "messages_tab_enabled": True},
        "slash_commands": [{"command": "/pod", "description": "Pods", "should_escape": True}],
    },
    "oauth_config": {"scopes": {"bot": ["commands", "chat:write"]}},
    "settings": {
        "event_subscriptions": {"bot_events": ["app_home_opened"]},
        "interactivity": {"is_enabled": True},
        "socket_mode_enabled": True,
    },
}


def test_a_full_manifest_is_read_whole() -> None:
    assert Manifest.parse(FULL) == Manifest(
        name="keeper",
        scopes=("commands", "chat:write"),
        bot_events=("app_home_opened",),
        commands=(SlashCommand("/pod", should_escape=True),),
    )


def test_what_a_manifest_leaves_out_is_off() -> None:
    bare = Manifest.parse({})

    assert (bare.scopes, bare.commands, bare.bot_events) == ((), (), ())
    assert [bare.home_tab, bare.messages_tab, bare.interactivity, bare.socket_mode] == [False] * 4


def test_something_else_than_a_mapping_is_no_manifest() -> None:
    with pytest.raises(ValueError, match="mapping"):
        Manifest.parse(["features"])
