"""The messages about whose a pod is, drawn from the present facts."""

from collections.abc import Callable
from datetime import datetime

from sqlmodel import Session

from bot.approvals.words import which
from bot.claims.announcement import announcement
from bot.fleet.views import PodView, view
from bot.text import actions, button, context, mention, per_hour, section, when
from jobs.house import House
from jobs.outbox.kinds import UNDELIVERABLE, Kind, Kinds, Message
from pods.ids import PodId
from pods.ownership import Claim
from storage.claim import HandOver, hand_over, statement, statements
from storage.columns import JsonObject

DrawPod = Callable[[PodView, JsonObject, datetime], Message | None]
DrawOffer = Callable[[HandOver, PodView, JsonObject, datetime], Message]


def claim_kinds(house: House) -> Kinds:
    """Announcements in the ops channel, offers and questions to one person."""

    def seen(session: Session, pod_id: str, now: datetime) -> PodView | None:
        return view(session, pod_id, now, house.policy.claim_settle)

    def announced(session: Session, refs: JsonObject, now: datetime) -> Message | None:
        claimed = statement(session, str(refs["claim"]))
        if not isinstance(claimed, Claim):
            return None
        pod = seen(session, claimed.pod_id, now)
        said = statements(session, claimed.pod_id).get(PodId(claimed.pod_id), [])
        return announcement(str(refs["claim"]), claimed, pod, said, refs, now)

    def of_pod(draw: DrawPod) -> Kind:
        def render(session: Session, refs: JsonObject, now: datetime) -> Message | None:
            pod = seen(session, str(refs["pod"]), now)
            return None if pod is None or pod.gone_at is not None else draw(pod, refs, now)

        return Kind(render)

    def of_offer(draw: DrawOffer, *, falls_back: bool = False) -> Kind:
        def render(session: Session, refs: JsonObject, now: datetime) -> Message | None:
            found = hand_over(session, str(refs["offer"]))
            pod = seen(session, found.pod_id, now) if found else None
            return None if found is None or pod is None else draw(found, pod, refs, now)

        return Kind(render, falls_back=falls_back)

    return {
        "claim_announced": Kind(announced),
        "claim_objected": of_pod(_objected),
        "is_it_yours": of_pod(_yours),
        "give_offered": of_offer(_offered, falls_back=True),
        "pod_given": of_offer(_given),
        "take_over_asked": of_offer(_take_over),
    }


def _objected(pod: PodView, refs: JsonObject, now: datetime) -> Message:
    return _plain(
        f"{mention(str(refs['by']))} says that this pod is not yours. You still hear of it and can keep it; "
        f"you can end it once an admin confirms that it is yours.\n{which(pod, now)}"
    )


def _yours(pod: PodView, refs: JsonObject, now: datetime) -> Message:
    text = f"{mention(str(refs['by']))} thinks that this pod is yours. Is it?\n{_priced(pod, now)}"
    if pod.owner is not None:
        return _plain(f"{text}\nIt is {mention(pod.owner)}'s by now.")
    mine = actions(button("Mine", "claim", pod.pod_id))
    return Message(text, [section(text), mine, context("If not, do nothing.")])


def _offered(found: HandOver, pod: PodView, refs: JsonObject, now: datetime) -> Message:
    text = f"{mention(found.giver)} wants to hand a pod over to you.\n{_priced(pod, now)}"
    if UNDELIVERABLE in refs:
        return _plain(f"I could not reach {mention(found.receiver)} to offer them {which(pod, now)}.")
    if found.accepted_at is not None:
        return _plain(f"{text}\nYou have accepted it ({when(found.accepted_at)}).")
    if _is_void(found, pod):
        return _plain(f"{text}\nThis offer does not hold any more.")
    accept = actions(button("Accept", "give_accept", found.id, "primary"))
    return Message(text, [section(text), accept, context("It stays as it is until you accept it.")])


def _given(found: HandOver, pod: PodView, refs: JsonObject, now: datetime) -> Message:
    by = str(refs["by"])
    who = f" {mention(by)} confirmed it." if by != found.receiver else ""
    return _plain(
        f"{which(pod, now)}\n{mention(found.receiver)} has it from {mention(found.giver)} now.{who}"
    )


def _take_over(found: HandOver, pod: PodView, _refs: JsonObject, now: datetime) -> Message:
    text = (
        f"{mention(found.receiver)} wants to take over a pod of {mention(found.giver)}, who has left.\n"
        f"{which(pod, now)}"
    )
    if found.accepted_at is not None or _is_void(found, pod):
        return _plain(f"{text}\nThat is settled.")
    confirm = actions(button("Confirm", "claim_confirm", found.id))
    return Message(text, [section(text), confirm, context("An admin has to confirm it.")])


def _is_void(found: HandOver, pod: PodView) -> bool:
    return pod.owner != found.giver or pod.gone_at is not None


def _priced(pod: PodView, now: datetime) -> str:
    return f"{which(pod, now)}, {per_hour(pod.usd_per_hour)}"


def _plain(text: str) -> Message:
    return Message(text, [section(text)])
