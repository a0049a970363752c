"""The workspace as JSON, as one person sees it."""

from __future__ import annotations

from simulator.slack.client.handles import Outcome, SeenMessage, SeenView
from simulator.slack.client.person import Person
from simulator.slack.conversations import Message, message_json
from simulator.slack.jsontypes import Json, JsonObject
from simulator.slack.log import ApiCall, Delivery
from simulator.slack.render.screen import place_name
from simulator.slack.users import User
from simulator.slack.viewstate import state_json


def person_json(user: User) -> JsonObject:
    return {
        "id": user.id,
        "name": user.name,
        "real_name": user.real_name,
        "tz": user.tz,
        "is_admin": user.is_admin,
        "is_bot": user.is_bot,
        "is_guest": user.is_restricted,
        "is_stranger": user.is_stranger,
        "deleted": user.deleted,
    }


def screen_json(person: Person) -> JsonObject:
    """Everything in front of one person."""
    workspace = person.eyes.workspace
    places: list[Json] = []
    for channel in workspace.channels.values():
        if person.id in channel.members:
            place: JsonObject = {
                "id": channel.id,
                "name": place_name(workspace, channel, person.user),
                "kind": channel.kind,
                "archived": channel.archived,
                "messages": [message_shown(each) for each in person.messages(channel.id)],
            }
            places.append(place)
    home, modal = person.home, person.modal
    return {
        "person": person_json(person.user),
        "places": places,
        "home": view_shown(home) if home is not None else None,
        "modal": view_shown(modal) if modal is not None else None,
        "warnings": [{"what": each.what, "error": each.error} for each in person.warnings],
        "version": workspace.changes.version,
    }


def message_shown(seen: SeenMessage) -> JsonObject:
    message: Message = seen.message
    return message_json(message) | {
        "channel": message.channel,
        "only_for": message.only_for,
        "plain": seen.plain,
        "file_ids": list(message.files),
    }


def view_shown(seen: SeenView) -> JsonObject:
    return {
        "id": seen.id,
        "body": seen.view.body,
        "state": state_json(seen.view.values),
        "errors": dict(seen.view.errors),
        "plain": seen.plain,
    }


def outcome_json(outcome: Outcome) -> JsonObject:
    return {
        "ok": outcome.error is None,
        "error": outcome.error,
        "ack_seconds": outcome.ack_seconds,
        "text": outcome.text,
    }


def call_json(call: ApiCall) -> JsonObject:
    return {
        "method": call.method,
        "args": call.args,
        "at": call.at.isoformat(),
        "answer": call.answer,
        "status": call.status,
    }


def delivery_json(delivery: Delivery) -> JsonObject:
    attempts: list[Json] = [
        {
            "number": each.number,
            "transport": each.transport,
            "outcome": each.outcome,
            "seconds": each.seconds,
        }
        for each in delivery.attempts
    ]
    return {
        "id": delivery.id,
        "kind": delivery.kind,
        "payload": delivery.payload,
        "at": delivery.at.isoformat(),
        "acknowledged": delivery.acknowledged,
        "acknowledgements": delivery.acknowledgements,
        "attempts": attempts,
    }
