"""The kinds of messages of the digest and of the lists, and the function that draws each."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from bot.digest.daily import draw_digest, draw_table
from bot.digest.first_day import draw_first_day
from bot.digest.lists import draw_left, draw_unowned
from jobs.house import House
from jobs.outbox.kinds import Kind, Kinds, Message
from storage.columns import JsonObject

Draw = Callable[[Session, House, JsonObject, datetime], Message | None]


def digest_kinds(house: House) -> Kinds:
    """All of them, in this house."""

    def kind(draw: Draw) -> Kind:
        return Kind(lambda session, refs, now: draw(session, house, refs, now))

    return {
        "digest": kind(draw_digest),
        "digest_table": kind(draw_table),
        "unowned": kind(draw_unowned),
        "first_day": kind(draw_first_day),
        "owner_left": kind(draw_left),
    }
