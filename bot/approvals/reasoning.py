"""*Why?*: everything that was weighed about one pod, for whoever asks."""

from sqlmodel import Session

from bot.approvals.words import costs, what_is_lost, which, whose
from bot.fleet.views import PodView
from bot.text import Shown, SlackWords, code, context, named, section, when
from jobs.house import House
from jobs.judgement.judging import judged_now
from pods.explain import sentence
from pods.facts import PassFacts
from pods.ids import PodId
from pods.plan import Judged
from pods.rule_texts import RULE_TEXTS
from storage.history import episodes_of
from storage.keep import keeps_of
from storage.pod import status_texts

MOST_SHOWN = 8
_STRETCHES = {
    "allocating": "being rented",
    "no_runtime": "rented, nothing running",
    "exited": "stopped",
    "error": "in error",
}


def reasoning(session: Session, house: House, pod: PodView) -> Shown:
    """What it is, why, what was seen, what was said."""
    now = house.clock.now()
    judgement = judged_now(session, house)
    one = next((each for each in judgement.plan.judged if each.facts.pod_id == pod.pod_id), None)
    told = [
        f"{which(pod, now)}\n{costs(session, pod, now)}",
        _verdict(one, judgement.loaded.pass_) if one else "It is gone.",
        f"{whose(pod.whose)}\n{what_is_lost(session, pod)}",
        _seen(session, pod),
        *_kept(session, pod),
    ]
    by_rule = f"By line {one.verdict.rule} of my rules: {RULE_TEXTS[one.verdict.rule]}." if one else ""
    foot = context(by_rule or "It is not in the last list of RunPod.")
    return Shown("\n".join(told), [*map(section, told), foot])


def _verdict(one: Judged, pass_: PassFacts) -> str:
    return sentence(one.facts, one.verdict, pass_, SlackWords())


def _seen(session: Session, pod: PodView) -> str:
    stretches = episodes_of(session, pod.pod_id)[-MOST_SHOWN:]
    lines = [
        f"• {_STRETCHES.get(each.phase, str(each.phase))}: from {when(each.since)} to {when(each.until)}"
        f" ({each.observations} looks)"
        for each in stretches
    ]
    text = status_texts(session).get(PodId(pod.pod_id))
    said = [f"RunPod says: {code(text, 200)}"] if text else []
    return "\n".join(["What I saw:", *lines, *said]) if lines else "I have not seen it in a list yet."


def _kept(session: Session, pod: PodView) -> list[str]:
    standing = [each for each in keeps_of(session, pod.pod_id) if each.lifted_at is None][:MOST_SHOWN]
    lines = [
        f"• {named(each.given_by)}{f' until {when(each.until)}' if each.until else ''}"
        f"{f': {code(each.reason, 200)}' if each.reason else ''}"
        for each in standing
    ]
    return ["\n".join(["Kept by:", *lines])] if lines else []
