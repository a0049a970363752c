"""Which pod somebody means: an id, a NAME, or a name at RunPod. One that fits several is never guessed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from bot.fleet.near import near_pods
from bot.fleet.views import PodView, view, views
from bot.slack.answering import Declined
from bot.text import code, mention, word
from storage.ledger import ProvisionRecord, named

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Found:
    """It is this one."""

    pod: PodView


@dataclass(frozen=True, slots=True)
class NoPodYet:
    """A provision has that name, and no listing has shown a pod of it yet."""

    provision: ProvisionRecord


@dataclass(frozen=True, slots=True)
class Several:
    """It fits all of these."""

    pods: tuple[PodView, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody ever heard of it; these names come near."""

    near: tuple[str, ...]


Meant = Found | NoPodYet | Several | Unknown


def meant(session: Session, typed: str, now: datetime, claim_settle: timedelta) -> Meant:
    """What the typed word means. Capitals make no difference where they make no second pod."""
    present = views(session, now, claim_settle)
    provision = named(session, typed.lower())
    fitting = [pod for pod in present if typed in (pod.pod_id, pod.runpod_name)]
    if provision and provision.pod_id:
        fitting += [pod for pod in present if pod.pod_id == provision.pod_id and pod not in fitting]
    if not fitting:
        lowered = typed.lower()
        fitting = [pod for pod in present if lowered in (pod.pod_id.lower(), pod.runpod_name.lower())]
    match fitting:
        case [one]:
            return Found(one)
        case [_, *_]:
            return Several(tuple(fitting))
    if provision:
        return NoPodYet(provision)
    known = view(session, typed, now, claim_settle)
    return Found(known) if known else Unknown(tuple(each.word for each in near_pods(session, typed)))


def the_pod(found: Meant, typed: str) -> PodView:
    """The one pod that is meant. Raises Declined with a sentence for everything else."""
    match found:
        case Found(pod):
            return pod
        case NoPodYet(provision) if provision.pod_id is not None:
            raise Declined(
                f"The pod of {code(provision.name)} was rented a moment ago, and RunPod has not listed it "
                f"yet. Try again in some seconds, or `/pod cancel {provision.name}`."
            )
        case NoPodYet(provision):
            raise Declined(
                f"{code(provision.name)} has no pod yet. `/pod cancel {provision.name}` calls it off."
            )
        case Several(pods):
            listed = "\n".join(
                f"• `{pod.pod_id}` {word(pod.runpod_name)}{_owned(pod)}" for pod in pods[:SHOWN]
            )
            more = f"\n…and {len(pods) - SHOWN} more" if len(pods) > SHOWN else ""
            raise Declined(f"{code(typed)} fits several pods; say it again with the id:\n{listed}{more}")
        case Unknown(close):
            hint = f" Did you mean {' or '.join(map(code, close))}?" if close else ""
            raise Declined(f"I know no pod {code(typed)}.{hint} `/pod list all` shows every pod.")


def _owned(pod: PodView) -> str:
    return f", {mention(pod.owner)}" if pod.owner else ""
