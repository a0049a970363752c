"""Whether the logs of a provision's last run have been put into its thread."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from pods.provision.value import Provision
from storage.listing import recall, remember

LOG_FILES = "log_files/"
"""How the names of these small states begin."""
MOST_TRIES = 12


@dataclass(frozen=True, slots=True)
class LogFiles:
    """How far putting the logs of one run into the thread has come."""

    run: int
    tries: int = 0
    done: bool = False


def is_wanted(session: Session, provision: Provision) -> bool:
    """Whether a run of this provision is over and its logs are still to be put into the thread."""
    if provision.outcome is None or provision.run == 0 or not provision.reach.logged_in:
        return False
    known = _known(session, provision)
    return not known.done and known.tries < MOST_TRIES


def tried(session: Session, provision: Provision, at: datetime) -> int:
    """It could not be done this time. Returns how often it could not."""
    known = _known(session, provision)
    remember(session, _name(provision), replace(known, tries=known.tries + 1), at)
    return known.tries + 1


def delivered(session: Session, provision: Provision, at: datetime) -> None:
    """They are in the thread."""
    remember(session, _name(provision), replace(_known(session, provision), done=True), at)


def _known(session: Session, provision: Provision) -> LogFiles:
    known = recall(session, _name(provision), LogFiles)
    return known if known is not None and known.run == provision.run else LogFiles(provision.run)


def _name(provision: Provision) -> str:
    return f"{LOG_FILES}{provision.id}"
