"""`/pod pause`, `unpause`, `arm JOB`, `disarm JOB`, and *Arm*."""

import asyncio
from datetime import datetime, timedelta
from typing import assert_never

from sqlmodel import Session

from bot.doctor.check import failing
from bot.doctor.runpod import runpod_checks
from bot.doctor.slack import slack_checks
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable, Click
from bot.switches.preview import draw_preview
from bot.table import Typed
from bot.text import Shown, code, mention, section
from jobs.arming import SWITCHES, Preview, Refused, Why, arm, disarm, pause, preview, unpause
from jobs.house import House
from pods.guards import Job
from storage.columns import JsonObject
from storage.keys import key_from
from storage.page import Page, page, put_page
from storage.switch import switches
from storage.switches import PAUSED

KIND = "arming"
SEEN_LATELY = timedelta(minutes=15)
"""A plan that was shown longer ago is not the plan of now."""
OTHERWISE = (
    "By now it would do something else than was shown to you, so nothing is armed. This is the present plan."
)


async def run_pause(house: House, typed: Typed) -> None:
    """Nothing at all is destroyed from now on."""
    _no_words(typed, "pause")
    refused = await house.db.run(lambda session: pause(session, house, typed.user))
    await _tell(house, typed, refused, PAUSED, "All is paused: nothing ends or stops until `/pod unpause`.")


async def run_unpause(house: House, typed: Typed) -> None:
    """What was held goes on."""
    _no_words(typed, "unpause")
    refused = await house.db.run(lambda session: unpause(session, house, typed.user))
    await _tell(house, typed, refused, PAUSED, "The pause is over. What it held is looked at again first.")


async def run_disarm(house: House, typed: Typed) -> None:
    """A job does nothing by itself from now on."""
    job = _job(typed, "disarm")
    refused = await house.db.run(lambda session: disarm(session, house, job, typed.user))
    await _tell(house, typed, refused, SWITCHES[job], f"{code(job)} is disarmed: from now on I ask instead.")


async def run_arm(house: House, typed: Typed) -> None:
    """Show what arming would do now; nothing is armed before *Arm* is pressed."""
    job = _job(typed, "arm")
    broken = await broken_checks(house)
    now = house.clock.now()

    def work(session: Session) -> Shown:
        _declined_if_armed(session, job)
        if broken:
            raise Declined(sentence(Refused(Why.DOCTOR, broken), job))
        shown = preview(session, house, job)
        if not shown.complete:
            raise Declined(sentence(Refused(Why.LISTING_INCOMPLETE), job))
        return _shown(session, shown, typed, now)

    shown = await house.db.run(work)
    await answer(house, typed, shown.text, shown.blocks)


async def press_arm(house: House, click: Click) -> None:
    """*Arm*: by the admin to whom the plan was shown, a moment ago."""
    if click.user not in house.admins:
        raise Declined("Only admins arm me. Nothing was changed.")
    broken = await broken_checks(house)
    now = house.clock.now()

    def work(session: Session) -> Shown:
        found = page(session, click.value or "")
        if found is None or found.kind != KIND or found.shown_to != click.user:
            raise Declined("This was shown to somebody else, or is not there any more. Nothing was changed.")
        job = Job(str(found.items["job"]))
        if now - found.at > SEEN_LATELY:
            raise Declined(f"That plan is old by now. Look at the present one: `/pod arm {job}`.")
        _declined_if_armed(session, job)
        present = preview(session, house, job)
        if present.complete and found.items.get("would") != present.would:
            again = _shown(session, present, click, now)
            return Shown(f"{OTHERWISE}\n{again.text}", [section(OTHERWISE), *again.blocks])
        done = arm(session, house, job, click.user, broken)
        if isinstance(done, Refused):
            raise Declined(sentence(done, job))
        return Shown(_armed(done))

    told = await house.db.run(work)
    await answer(house, click, told.text, told.blocks, replace=True)


def _shown(session: Session, plan: Preview, to: Answerable, now: datetime) -> Shown:
    """The plan, remembered as it is shown: nobody arms what they have not seen."""
    shown_as = key_from(f"arm {to.key}")
    items: JsonObject = {"job": plan.job, "would": plan.would}
    put_page(session, Page(shown_as, KIND, to.user, items, 0, now))
    return draw_preview(session, plan, shown_as)


async def broken_checks(house: House) -> tuple[str, ...]:
    """The doctor's checks that fail now. What cannot be looked at from here does not count."""
    by_runpod, by_slack, here = await asyncio.gather(
        runpod_checks(house.runpod),
        slack_checks(house.slack, "", None, house.ops_channel, house.admins),
        asyncio.to_thread(house.faults_here),
    )
    return (*failing([*by_runpod, *by_slack]), *here)


def sentence(refused: Refused, job: Job) -> str:
    """Why nothing was changed."""
    match refused.why:
        case Why.NOT_ADMIN:
            return "Only admins do this. Nothing was changed."
        case Why.DOCTOR:
            return f"I am not armed while this fails: {'; '.join(refused.failing)}. Nothing was changed."
        case Why.LISTING_INCOMPLETE:
            return (
                f"The last look at RunPod was not complete, so nobody knows what {code(job)} would do. "
                "Try again in a minute. Nothing was changed."
            )
        case Why.ALREADY:
            return "It is so already; nothing was changed."
        case _:
            assert_never(refused.why)


def _armed(done: Preview) -> str:
    told = f"{len(done.ends)} end now" if done.job is Job.NEVER_RAN else f"{len(done.notices)} are announced"
    return f"{code(done.job)} is armed: {told}. `/pod disarm {done.job}` takes it back."


async def _tell(house: House, typed: Typed, refused: Refused | None, switch: str, done: str) -> None:
    if refused is None:
        return await answer(house, typed, done)
    known = (await house.db.read(switches)).get(switch)
    by = f" {mention(known.set_by)} did that." if known else ""
    raise Declined(f"It is so already; nothing was changed.{by}")


def _declined_if_armed(session: Session, job: Job) -> None:
    known = switches(session).get(SWITCHES[job])
    if known is not None and known.value == "on":
        raise Declined(f"{code(job)} is armed already, by {mention(known.set_by)}. Nothing was changed.")


def _job(typed: Typed, verb: str) -> Job:
    word = typed.words[0].lower() if len(typed.words) == 1 else ""
    if word not in list(Job):
        raise Declined(f"Say which job: `/pod {verb} never-ran` or `/pod {verb} stale`.")
    return Job(word)


def _no_words(typed: Typed, verb: str) -> None:
    if typed.words:
        raise Declined(f"`/pod {verb}` takes no further words; it is about everything. Nothing was changed.")
