"""Every job on one page: its name, when it is due, and the function that does it."""

from datetime import timedelta

from jobs.inbox import Inbox
from jobs.outbox.sending import Sender
from jobs.provision.reconciler import Provisions
from jobs.ticker import Job
from jobs.triggers import Every


def jobs_of(sender: Sender, inbox: Inbox, provisions: Provisions) -> tuple[Job, ...]:
    """What the ticker runs."""
    return (
        Job("outbox", Every(timedelta(seconds=1)), sender.run),
        Job("inbox", Every(timedelta(seconds=10)), inbox.run),
        Job("provisions", Every(timedelta(seconds=1)), provisions.run),
    )
