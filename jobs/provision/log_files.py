"""At the end of a provision its logs are put into its thread, whole, as files."""

from datetime import timedelta

import structlog

from gateways.slack.errors import SlackError
from jobs.house import House
from jobs.provision.home import Home
from jobs.provision.working import Site
from pods.provision.seen import Work
from pods.provision.value import Provision
from storage.ledger import ProvisionRecord, put_off
from storage.log_file import MOST_TRIES, delivered, is_wanted, tried
from storage.outbox import place_of

LARGEST = 4 * 1024 * 1024
"""Bytes of a log that are put into one file; of a longer one the end."""
AGAIN_AFTER = timedelta(seconds=5)

_log = structlog.get_logger(__name__)


async def hand_over_logs(house: House, taken: ProvisionRecord, provision: Provision, home: Home) -> None:
    """Put the logs of the last run into the thread, if they are not there yet. Tried a few times."""
    db = house.db
    if not await db.read(lambda session: is_wanted(session, provision)):
        return
    head = await db.read(lambda session: place_of(session, home.head))
    due = house.clock.now() + AGAIN_AFTER * house.clock.rate
    if (
        head is not None
        and head.channel
        and head.ts
        and await _upload(house, provision, head.channel, head.ts)
    ):
        await db.run(lambda session: delivered(session, provision, house.clock.now()))
        await db.run(lambda session: put_off(session, taken, None))
        return
    tries = await db.run(lambda session: tried(session, provision, house.clock.now()))
    await db.run(lambda session: put_off(session, taken, due if tries < MOST_TRIES else None))


async def _upload(house: House, provision: Provision, channel: str, thread_ts: str) -> bool:
    if provision.pod is None:
        return True
    site = Site(house, provision, provision.pod.pod_id)
    for work in Work:
        content = await _whole_log(site, work, provision.run)
        if content is None:
            return False
        if not content:
            continue
        name = f"{provision.order.name}-{work}-{provision.run}.log"
        try:
            await house.slack.upload(
                channel, name, content.encode(), comment=f"The {work}'s log.", thread_ts=thread_ts
            )
        except SlackError as error:
            _log.warning("a log could not be put into its thread", provision=provision.id, why=error.sentence)
            return False
    return True


async def _whole_log(site: Site, work: Work, run: int) -> str | None:
    """None: the pod could not be asked. Empty: there is no such log."""
    first = await site.log(work, run, 0, LARGEST)
    if first.log_size <= LARGEST:
        return site.without_token(first.log) if first.answered else None
    last = await site.log(work, run, first.log_size - LARGEST, LARGEST)
    left_out = first.log_size - LARGEST
    return (
        f"(the first {left_out} bytes are left out)\n{site.without_token(last.log)}"
        if last.answered
        else None
    )
