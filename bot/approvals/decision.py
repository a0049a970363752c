"""What somebody wants to decide, and whether this person may: pure, from present facts."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import assert_never

from bot.fleet.views import PodView
from bot.terminate.rights import AsAdmin, AskOwner, AsOwner, No, Right, right_to_end, right_to_stop
from bot.text import mention, word
from storage.question import Question


class Act(StrEnum):
    """The decisions, as the question keeps them."""

    KEEP = "keep"
    STOP = "stop"
    END = "terminate"
    NOT_MINE = "not_mine"


@dataclass(frozen=True, slots=True)
class Wish:
    """What was pressed. `lasting`: of a keep. `reason`: of an admin's end."""

    act: Act
    lasting: timedelta | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class May:
    """Go ahead. `as_admin`: it is somebody else's, whom we tell first."""

    as_admin: bool = False


@dataclass(frozen=True, slots=True)
class MayNot:
    """Why not. `stranger`: this person has no part in it at all."""

    sentence: str
    stranger: bool = False


def may(wish: Wish, question: Question, pod: PodView, user: str, *, is_admin: bool) -> May | MayNot:
    """Whether this person may decide this now."""
    party = pod.is_mine(user)
    if not party and not is_admin:
        return MayNot(_not_yours(question, pod, user), stranger=True)
    match wish.act:
        case Act.KEEP:
            return May()
        case Act.NOT_MINE:
            return May() if party else MayNot(_not_yours(question, pod, user))
        case Act.STOP:
            return _by_right(right_to_stop(pod, user), question, pod, user)
        case Act.END:
            right = right_to_end(pod, user, is_admin=is_admin, reason=wish.reason)
            return _by_right(right, question, pod, user)
        case _:
            assert_never(wish.act)


def _by_right(right: Right, question: Question, pod: PodView, user: str) -> May | MayNot:
    match right:
        case AsOwner():
            return May()
        case AsAdmin():
            return May(as_admin=True)
        case No(sentence):
            return MayNot(sentence)
        case AskOwner():
            return MayNot(_not_yours(question, pod, user))
        case _:
            assert_never(right)


def _not_yours(question: Question, pod: PodView, user: str) -> str:
    name = f"*{word(pod.name)}*"
    if pod.owner is None:
        owners = " and ".join(map(mention, pod.whose.claimants))
        who = f"{owners} say that it is theirs" if owners else "nobody has said whose it is"
        return f"You cannot decide about {name}: {who}. If it is yours: `/pod claim {pod.pod_id}`."
    if user == question.asked_by:
        return f"You asked for this yourself; {mention(pod.owner)} decides about {name}. Nothing was done."
    return f"{name} is {mention(pod.owner)}'s, so only they can decide about it. Nothing was done."
