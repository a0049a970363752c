"""What this person may do about this pod, right now. Pure; the executor decides again when it acts."""

from dataclasses import dataclass

from bot.fleet.views import PodView
from bot.text import mention, when, word
from pods.ownership import Grade


@dataclass(frozen=True, slots=True)
class AsOwner:
    """It is theirs, and they have the right to end it."""


@dataclass(frozen=True, slots=True)
class AsAdmin:
    """It is somebody else's for certain, and they are an admin with a reason."""


@dataclass(frozen=True, slots=True)
class AskOwner:
    """It is somebody else's: that person decides."""

    owner: str


@dataclass(frozen=True, slots=True)
class No:
    """It cannot be done like this."""

    sentence: str


Right = AsOwner | AsAdmin | AskOwner | No


def right_to_end(pod: PodView, user: str, *, is_admin: bool, reason: str | None) -> Right:
    """By which right this person would end it."""
    return _hindrance(pod) or (
        _own(pod, "end")
        if pod.owner == user
        else _somebody_elses(pod, "end", is_admin=is_admin, reason=reason)
    )


def right_to_stop(pod: PodView, user: str, verb: str = "stop") -> Right:
    """By which right this person would stop it, or start it. Nobody does that to what is somebody else's."""
    return _hindrance(pod) or (_own(pod, verb) if pod.owner == user else _somebody_elses(pod, verb))


def _hindrance(pod: PodView) -> No | None:
    name = f"*{word(pod.name)}*"
    if pod.gone_at is not None:
        return No(f"{name} is gone already.")
    if pod.ending is not None:
        doing = "stopped" if pod.ending.path == "stop" else "ended"
        return No(f"{name} is being {doing} already.")
    if pod.cluster_member:
        return No(f"{name} is part of a cluster; I end and stop no parts of clusters.")
    if pod.locked:
        return No(f"{name} is locked at RunPod; unlock it there first.")
    if pod.whose.grade is Grade.CONFLICTING and not pod.whose.in_ledger:
        claimants = " and ".join(mention(user) for user in pod.whose.claimants)
        return No(f"{claimants} both say that {name} is theirs. One of them has to `/pod unclaim` it first.")
    return None


def _own(pod: PodView, verb: str) -> Right:
    if pod.whose.may_end:
        return AsOwner()
    settles = pod.whose.may_end_from
    from_when = f"from {when(settles)} on, if nobody objects" if settles else "once an admin has confirmed it"
    return No(f"You have said that *{word(pod.name)}* is yours; you can {verb} it {from_when}.")


def _somebody_elses(pod: PodView, verb: str, *, is_admin: bool = False, reason: str | None = None) -> Right:
    if pod.owner is None:
        return No(
            f"Nobody has said whose *{word(pod.name)}* is, and I {verb} only what somebody answers for. "
            f"If it is yours: `/pod claim {pod.pod_id}`."
        )
    if is_admin and pod.whose.grade is Grade.PROVED:
        if reason:
            return AsAdmin()
        return No(
            f"*{word(pod.name)}* is {mention(pod.owner)}'s. As an admin you can end it with a reason: "
            f"`/pod terminate {pod.pod_id} nobody has used it for a month`."
        )
    return AskOwner(pod.owner)
