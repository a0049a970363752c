"""`/pod claim POD`, *Mine*; `/pod unclaim POD`."""

from datetime import datetime

from sqlmodel import Session

from bot.approvals.asked import redraw_about
from bot.claims.announcing import announce_claim
from bot.claims.people import must_be_member
from bot.fleet.naming import meant, the_pod
from bot.fleet.views import PodView, view
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable, Click
from bot.table import Typed
from bot.text import mention, when, word
from jobs.house import House
from pods.ids import PodId, UserId
from pods.ownership import Claim, ClaimSource, Grade, Withdrawal
from storage.claim import say
from storage.columns import JsonObject
from storage.trail import Event, record


async def run_claim(house: House, typed: Typed) -> None:
    """ "This one is mine"."""
    await claim(house, typed, (await _meant(house, typed, "claim")).pod_id)


async def press_mine(house: House, click: Click) -> None:
    """*Mine*, below a pod that is nobody's."""
    await claim(house, click, click.value or "")


async def claim(house: House, to: Answerable, pod_id: str) -> None:
    """Say that the pod is this person's, and announce it."""
    await must_be_member(house, to.user)
    told = await house.db.run(lambda session: _claim(session, house, to, pod_id))
    house.wakes.wake("outbox")
    await answer(house, to, told)


def _claim(session: Session, house: House, to: Answerable, pod_id: str) -> str:
    now = house.clock.now()
    pod = _there(session, house, pod_id)
    name, user = f"*{word(pod.name)}*", to.user
    if pod.is_mine(user):
        return f"{name} is yours already.{_settling(pod, now)}"
    if pod.whose.grade is Grade.PROVED:
        raise Declined(
            f"I rented {name} for {mention(str(pod.whose.created_for))}; for certain it is "
            f"{mention(str(pod.owner))}'s. They can `/pod give {pod.pod_id} @you`. Nothing was done."
        )
    said = say(session, Claim(PodId(pod.pod_id), UserId(user), now, ClaimSource.PERSON))
    facts: JsonObject = {"owner": user, "claim": said, "key": to.key}
    record(session, Event(now, user, "pod.claimed", pod.pod_id, facts))
    announce_claim(session, house, said, pod.pod_id, user, now)
    redraw_about(session, pod.pod_id, now)
    after = _there(session, house, pod_id)
    if after.whose.grade is Grade.CONFLICTING:
        others = " and ".join(mention(each) for each in after.whose.claimants if each != user)
        return (
            f"Noted, but {others} says that {name} is theirs. Nothing ends it until one of you says "
            f"`/pod unclaim {pod.pod_id}` or an admin decides."
        )
    return f"{name} is yours: I ask you about it from now on, and you can keep it.{_settling(after, now)}"


async def run_unclaim(house: House, typed: Typed) -> None:
    """ "It is not mine (any more)"."""
    found = await _meant(house, typed, "unclaim")
    now = house.clock.now()

    def work(session: Session) -> str:
        pod = _there(session, house, found.pod_id)
        name = f"*{word(pod.name)}*"
        if typed.user not in pod.whose.claimants:
            raise Declined(f"You have not said that {name} is yours, so there is nothing to take back.")
        said = say(session, Withdrawal(PodId(pod.pod_id), UserId(typed.user), now))
        facts: JsonObject = {"owner": typed.user, "statement": said, "key": typed.key}
        record(session, Event(now, typed.user, "pod.unclaimed", pod.pod_id, facts))
        redraw_about(session, pod.pod_id, now)
        after = _there(session, house, pod.pod_id)
        if after.owner == typed.user:
            return (
                f"I rented {name} for you, so it stays with you until somebody else takes it: "
                f"`/pod give {pod.pod_id} @somebody`."
            )
        return f"{name} is not yours any more."

    told = await house.db.run(work)
    house.wakes.wake("outbox")
    await answer(house, typed, told)


def _settling(pod: PodView, now: datetime) -> str:
    if pod.whose.may_end or pod.whose.grade is Grade.CONFLICTING:
        return ""
    if pod.whose.may_end_from is not None and pod.whose.may_end_from > now:
        return f" You can end it from {when(pod.whose.may_end_from)} on, if nobody objects."
    return " Somebody objected, so you can end it only once an admin confirms it."


def _there(session: Session, house: House, pod_id: str) -> PodView:
    pod = view(session, pod_id, house.clock.now(), house.policy.claim_settle)
    if pod is None:
        raise Declined("I know no such pod. `/pod list all` shows every pod.")
    if pod.gone_at is not None:
        raise Declined(f"*{word(pod.name)}* is gone since {when(pod.gone_at)}; it is nobody's any more.")
    return pod


async def _meant(house: House, typed: Typed, verb: str) -> PodView:
    if len(typed.words) != 1:
        raise Declined(f"Say which pod, like `/pod {verb} train-7b`. `/pod list all` shows every pod.")
    now, settle = house.clock.now(), house.policy.claim_settle
    word_ = typed.words[0]
    return the_pod(await house.db.read(lambda session: meant(session, word_, now, settle)), word_)
