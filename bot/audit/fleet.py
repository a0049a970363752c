"""`/pod audit`: what needs somebody first, the rest folded into one line."""

from collections import Counter
from collections.abc import Iterable

from sqlmodel import Session

from bot.fleet.lines import owned_by, phase_in_words
from bot.fleet.pages import and_more, part, turner
from bot.fleet.views import PodView, views
from bot.text import Shown, SlackWords, context, mention, per_hour, section, word
from jobs.house import House
from jobs.judgement.judging import Judgement, judged_now
from pods.explain import sentence
from pods.facts import PassFacts
from pods.plan import Judged
from pods.verdict import Keep
from storage.page import Page
from storage.switch import switches

KIND, SIZE = "audit", 10


def needs_somebody(judged: Judged) -> bool:
    """Whether anything but leaving it alone is in question."""
    return not isinstance(judged.verdict, Keep)


def draw_fleet(session: Session, page: Page, house: House) -> Shown:
    """The part that is shown now, judged anew."""
    judgement = judged_now(session, house)
    judged = {str(one.facts.pod_id): one for one in judgement.plan.judged}
    pods = {pod.pod_id: pod for pod in views(session, house.clock.now(), house.policy.claim_settle)}
    shown = [judged[pod_id] for pod_id in part(page, SIZE) if pod_id in judged]
    lines = [finding(one, pods.get(one.facts.pod_id), judgement.loaded.pass_) for one in shown]
    head = _head(session, judgement)
    foot = " ".join(filter(None, [and_more(page, SIZE) if lines else "", _folded(judgement)]))
    blocks = [section(head), *map(section, lines), *turner(page, SIZE), context(foot or "I see no pods.")]
    return Shown("\n".join([head, *lines, foot]), blocks)


def finding(judged: Judged, pod: PodView | None, pass_: PassFacts) -> str:
    """One pod that needs somebody: what it is, and why."""
    why = sentence(judged.facts, judged.verdict, pass_, SlackWords())
    if pod is None:
        return f"`{judged.facts.pod_id}`\n{why}"
    return f"*{word(pod.name)}*  `{pod.pod_id}`  {owned_by(pod)} · {per_hour(pod.usd_per_hour)}\n{why}"


def _head(session: Session, judgement: Judgement) -> str:
    pass_ = judgement.loaded.pass_
    needing = sum(map(needs_somebody, judgement.plan.judged))
    told = [f"*{needing} of {len(judgement.plan.judged)} pods need somebody.*"]
    if not pass_.listing_complete:
        told.append("The last look at RunPod was not complete: nothing follows from what is missing.")
    paused = switches(session).get("paused")
    if pass_.paused and paused:
        told.append(f"{mention(paused.set_by)} has paused everything: nothing is ended.")
    return " ".join(told)


def _folded(judgement: Judgement) -> str:
    calm = Counter(
        phase_in_words(one.facts.phase) for one in judgement.plan.judged if not needs_somebody(one)
    )
    return f"Nothing to do for the rest: {_counted(calm.most_common())}." if calm else ""


def _counted(many: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{number} {name}" for name, number in many)
