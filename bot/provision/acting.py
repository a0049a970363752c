"""Calling a provision off, trying it again, reading its logs: by command and by button alike."""

from sqlmodel import Session

from bot.help.near import near
from bot.slack.answering import Declined, answer
from bot.slack.heard import Answerable, Click
from bot.standing import standing
from bot.table import Typed
from bot.text import code, mention, section, word
from jobs.house import House
from pods.provision.events import can_retry
from pods.provision.outcomes import Outcome
from pods.provision.seen import Work
from pods.provision.stages import WITHOUT_POD
from storage.columns import JsonObject
from storage.ledger import ProvisionRecord, live_names, named, provision_of, record
from storage.provision_asks import ask_for_retry, call_off
from storage.run_log import tail
from storage.trail import Event
from storage.trail import record as record_event

SHOWN_LINES = 40


async def run_cancel(house: House, typed: Typed) -> None:
    """`/pod cancel NAME`."""
    await _cancel(house, typed, await _called(house, typed, "cancel"))


async def press_cancel(house: House, click: Click) -> None:
    """*Call off* in the thread."""
    await _cancel(house, click, await _by_id(house, click))


async def _cancel(house: House, to: Answerable, found: ProvisionRecord) -> None:
    now = house.clock.now()
    await _may(house, to.user, found)

    def work(session: Session) -> bool:
        if not call_off(session, found.id, to.user, now):
            return False
        facts: JsonObject = {"key": to.key}
        record_event(session, Event(now, to.user, "provision.called_off", found.id, facts))
        return True

    name = code(found.name)
    if await house.db.run(work):
        house.wakes.wake("provisions")
        return await answer(house, to, f"{name} is being called off. Its thread tells how that ends.")
    now_found = await house.db.read(lambda session: record(session, found.id))
    if now_found is not None and now_found.cancelled_by == to.user and now_found.finished_at is None:
        return await answer(house, to, f"{name} is being called off. Its thread tells how that ends.")
    if now_found is not None and now_found.finished_at is None and now_found.cancelled_by:
        raise Declined(f"{mention(now_found.cancelled_by)} has called {name} off already.")
    raise Declined(
        f"{name} is no longer on its way, so there is nothing to call off."
        f" `/pod terminate {found.name}` ends its pod."
    )


async def run_retry(house: House, typed: Typed) -> None:
    """`/pod retry NAME`."""
    await _retry(house, typed, await _called(house, typed, "retry"))


async def press_retry(house: House, click: Click) -> None:
    """*Retry bootstrap* in the thread."""
    await _retry(house, click, await _by_id(house, click))


async def _retry(house: House, to: Answerable, found: ProvisionRecord) -> None:
    now = house.clock.now()
    await _may(house, to.user, found)
    provision = provision_of(found)
    name = code(found.name)
    if provision.outcome is None:
        raise Declined(f"{name} is still on its way; it can be tried again once it has failed.")
    if provision.outcome is Outcome.READY:
        raise Declined(f"{name} is ready; there is nothing to try again.")
    if not can_retry(provision) or found.name_freed_at is not None:
        raise Declined(f"{name} has no pod any more that could be tried again. Order a new one.")

    def work(session: Session) -> None:
        ask_for_retry(session, found.id, to.user, now)
        facts: JsonObject = {"key": to.key}
        record_event(session, Event(now, to.user, "provision.retried", found.id, facts))

    await house.db.run(work)
    house.wakes.wake("provisions")
    await answer(house, to, f"Trying {name} again. Its thread tells how that goes.")


async def run_logs(house: House, typed: Typed) -> None:
    """`/pod logs NAME [bootstrap|preflight]`: the last lines, privately."""
    words = typed.words
    if len(words) not in (1, 2) or (len(words) == 2 and words[1].lower() not in list(Work)):
        raise Declined("Say whose log you want to see: `/pod logs NAME [bootstrap|preflight]`.")
    found = await _find(house, words[0])
    await _may(house, typed.user, found)
    provision = provision_of(found)
    works = [Work(words[1].lower())] if len(words) == 2 else [Work.PREFLIGHT, Work.BOOTSTRAP]
    for work in works:
        asked = work
        known = await house.db.read(lambda session: tail(session, found.id, provision.run, asked))  # noqa: B023
        if known is not None and known.text.strip():
            last = known.text.rstrip("\n").splitlines()[-SHOWN_LINES:]
            title = f"The last lines of {code(found.name)}'s {work} (run {provision.run}):"
            shown = "\n".join(word(line, 200) for line in last)[-2700:]
            return await answer(house, typed, title, [section(title), section(f"```\n{shown}\n```")])
    what = f" of the {works[0]}" if len(works) == 1 else ""
    none = (
        "nothing runs on a pod for it yet" if provision.stage in WITHOUT_POD else "it has written nothing yet"
    )
    raise Declined(f"There is no log{what} of {code(found.name)}: {none}.")


async def _called(house: House, typed: Typed, verb: str) -> ProvisionRecord:
    if len(typed.words) != 1:
        raise Declined(f"Say which one: `/pod {verb} NAME`.")
    return await _find(house, typed.words[0])


async def _find(house: House, word_: str) -> ProvisionRecord:
    """The provision of that NAME, or of that id."""
    name = word_.lower()

    def read(session: Session) -> tuple[ProvisionRecord | None, list[str]]:
        return named(session, name) or record(session, name), list(live_names(session))

    found, names = await house.db.read(read)
    if found is not None:
        return found
    alike = ", ".join(code(one) for one in near(name, names))
    hint = f"Did you mean {alike}?" if alike else "`/pod list mine` shows your pods by name."
    raise Declined(f"There is no provision called {code(word_)}. {hint}")


async def _by_id(house: House, click: Click) -> ProvisionRecord:
    found = await house.db.read(lambda session: record(session, click.value or ""))
    if found is None:
        raise Declined("This provision is not on record. Nothing was done.")
    return found


async def _may(house: House, user: str, found: ProvisionRecord) -> None:
    """Whoever asked for it, its owner, whoever has its pod by now, an admin. Raises Declined for others."""
    if user in {found.asker, found.owner, *house.admins}:
        return
    owner = await _present_owner(house, found) or found.owner
    if user != owner:
        raise Declined(f"Only {mention(owner)}, who asked for it, or an admin may do that. Nothing was done.")


async def _present_owner(house: House, found: ProvisionRecord) -> str | None:
    pod_id, now, settle = found.pod_id, house.clock.now(), house.policy.claim_settle
    if pod_id is None:
        return None
    whose = await house.db.read(lambda session: standing(session, pod_id, now, settle))
    return whose.owner
