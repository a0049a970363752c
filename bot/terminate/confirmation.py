"""What a person is shown before anything is ended or stopped, kept so that the click is held against it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session

from bot.fleet.lines import pod_lines
from bot.fleet.views import PodView
from bot.text import Shown, actions, button, mention, section, when, word
from pods.fingerprint import Fingerprint
from storage.columns import JsonObject
from storage.page import Page, page, put_page

KIND = "confirmation"
CHANGED = "The pod, or its keep, has changed since you were asked, so nothing was done."
STOPPED_STORAGE = "The volume disk stays, and goes on costing money."


class Act(StrEnum):
    """What is to be confirmed."""

    END = "end"
    STOP = "stop"


PAST = {Act.END: "ended", Act.STOP: "stopped"}


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What was shown to whom: this pod, in this state."""

    id: str
    shown_to: str
    act: Act
    pod_id: str
    fingerprint: Fingerprint
    reason: str | None
    kept: str | None = None
    """What protected it (`pods.keeps.cover`)."""


def remember(session: Session, shown: Confirmation, at: datetime) -> None:
    """Keep what is being shown."""
    items: JsonObject = {
        "act": shown.act,
        "pod": shown.pod_id,
        "state": shown.fingerprint,
        "reason": shown.reason,
        "kept": shown.kept,
    }
    put_page(session, Page(shown.id, KIND, shown.shown_to, items, 0, at))


def recall(session: Session, confirmation_id: str) -> Confirmation | None:
    """What was shown. None: there was no such confirmation."""
    found = page(session, confirmation_id)
    if found is None or found.kind != KIND:
        return None
    items, reason, kept = found.items, found.items.get("reason"), found.items.get("kept")
    return Confirmation(
        found.id,
        found.shown_to,
        Act(str(items["act"])),
        str(items["pod"]),
        Fingerprint(str(items["state"])),
        str(reason) if reason else None,
        str(kept) if kept else None,
    )


def draw(shown: Confirmation, pod: PodView, now: datetime, *, as_admin: bool, changed: bool) -> Shown:
    """The pod, what is lost, and the two buttons. `changed`: after one that did not hold any more."""
    end = shown.act is Act.END
    head = f"{'End' if end else 'Stop'} this pod?"
    if changed:
        head = f"{CHANGED} This is how it stands now. {head}"
    told = [lost(pod) if end else wiped(pod)]
    if pod.keeps.covers(now):
        kept = f" until {when(pod.keeps.kept_until)}" if pod.keeps.kept_until else ""
        told.append(f"*It is kept{kept}.*" + (" Ending it sets that aside." if end and not as_admin else ""))
    if as_admin and pod.owner:
        told.append(f"It is {mention(pod.owner)}'s: I tell them first, and end it 15 minutes later.")
    text = "\n".join([head, pod_lines(pod, now), " ".join(told)])
    act = (
        button("Terminate", "pod_terminate", shown.id, "danger")
        if end
        else button("Stop", "pod_stop", shown.id)
    )
    return Shown(text, [section(text), actions(act, button("Leave it", "pod_leave", shown.id))])


def lost(pod: PodView) -> str:
    """What is gone for good when the pod ends."""
    if pod.mounts is None:
        return "Whatever is on its disks is lost, as far as I can see."
    disks = "its container disk"
    if pod.mounts.persistent_gb:
        disks += f" and its volume disk of {pod.mounts.persistent_gb} GB"
    stays = " Its network volume stays." if pod.mounts.network_volumes else ""
    return f"What is on {disks} is lost.{stays}"


def wiped(pod: PodView) -> str:
    """What is gone for good when the pod stops."""
    volume = pod.mounts.persistent_gb if pod.mounts else None
    if volume:
        return f"What is on its container disk is lost. {STOPPED_STORAGE}"
    return (
        f"What is on its container disk is lost; *{word(pod.name)}* has no volume disk, as far as I can see."
    )
