"""Joining and leaving channels, with the events that Slack sends of it."""

from __future__ import annotations

from simulator.slack.conversations import Channel
from simulator.slack.jsontypes import JsonObject
from simulator.slack.office import Office


def join(office: Office, channel: Channel, user: str, inviter: str | None = None) -> None:
    """Adds a member; nothing happens if they are in already."""
    if user in channel.members:
        return
    channel.members.append(user)
    office.workspace.changes.happened()
    _tell_members(office, channel, "member_joined_channel", user, inviter)


def leave(office: Office, channel: Channel, user: str, actor: str | None = None) -> None:
    """Removes a member. The app itself hears `channel_left` or `group_left` when it is removed."""
    if user not in channel.members:
        return
    channel.members.remove(user)
    office.workspace.changes.happened()
    if user != office.workspace.app.bot_user_id:
        _tell_members(office, channel, "member_left_channel", user, None)
        return
    kind = "group_left" if channel.kind == "private" else "channel_left"
    if kind in office.workspace.manifest.bot_events:
        office.event(
            {
                "type": kind,
                "channel": channel.id,
                "actor_id": actor or user,
                "event_ts": office.workspace.next_ts(),
            }
        )


def _tell_members(office: Office, channel: Channel, kind: str, user: str, inviter: str | None) -> None:
    workspace = office.workspace
    if kind not in workspace.manifest.bot_events or workspace.app.bot_user_id not in channel.members:
        return
    event: JsonObject = {
        "type": kind,
        "user": user,
        "channel": channel.id,
        "channel_type": "G" if channel.kind == "private" else "C",
        "team": workspace.app.team_id,
        "event_ts": workspace.next_ts(),
    }
    if inviter is not None:
        event["inviter"] = inviter
    office.event(event)
