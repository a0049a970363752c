"""Every job on one page: its name, when it is due, and the function that does it."""

from datetime import timedelta
from functools import partial

from jobs.digest.passing import Digest
from jobs.digest.picture import JOB as PICTURE
from jobs.digest.picture import Picture
from jobs.executor import running as executor
from jobs.forgetting import SCHEDULE as FORGET
from jobs.forgetting import Forgetting
from jobs.hearing.passing import Hearing
from jobs.house import House
from jobs.inbox import Inbox
from jobs.observe.looking import Observer
from jobs.ops_channel import OpsChannel
from jobs.outbox.sending import Sender
from jobs.people import People
from jobs.provision.reconciler import Provisions
from jobs.questions import Questions
from jobs.ticker import Job
from jobs.triggers import Cron, Every
from jobs.unowned import Unowned
from jobs.watch import Watcher

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def jobs_of(
    house: House, sender: Sender, inbox: Inbox, provisions: Provisions, observer: Observer
) -> tuple[Job, ...]:
    """What the ticker runs."""
    when, watcher = house.schedules, Watcher(house)
    return (
        Job("outbox", Every(SECOND), sender.run),
        Job("inbox", Every(10 * SECOND), inbox.run),
        Job("provisions", Every(SECOND), provisions.run),
        Job("executor", Every(SECOND), partial(executor.run, house)),
        Job("questions", Every(10 * SECOND), Questions(house).run),
        Job("observe", Every(when.observe_every), observer.run, recorded=True),
        Job("judge", Every(when.observe_every), watcher.judge, needs_listing=True),
        Job("hearing", Every(when.observe_every), Hearing(house).run, needs_listing=True),
        Job("ops-channel", Every(MINUTE), OpsChannel(house).run),
        Job("people", Every(10 * MINUTE), People(house).run, needs_listing=True),
        Job("digest", Cron(when.digest, when.zone), Digest(house).run, needs_listing=True, recorded=True),
        Job(PICTURE, Every(MINUTE), Picture(house).run),
        Job("unowned", Cron(when.unowned, when.zone), Unowned(house).run, needs_listing=True, recorded=True),
        Job(
            "stale-audit",
            Cron(when.stale_audit, when.zone),
            watcher.stale_audit,
            needs_listing=True,
            recorded=True,
        ),
        Job("forget", Cron(FORGET, when.zone), Forgetting(house).run, recorded=True),
    )
