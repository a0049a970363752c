"""Why a provision failed, as far as its logs tell: the check that failed first, known failures."""

from sqlmodel import Session

from bot.text import code, word
from pods.known_failures import KNOWN_FAILURES
from pods.provision.checks import first_failed
from pods.provision.outcomes import Outcome
from pods.provision.seen import Work
from pods.provision.value import Provision
from storage.run_log import LogTail, tail

SHOWN_LINES = 12


def explanation(session: Session, provision: Provision) -> str:
    """What is wrong and what to do about it; empty if nothing is known."""
    match provision.outcome:
        case Outcome.PREFLIGHT_FAILED:
            work = Work.PREFLIGHT
        case Outcome.BOOTSTRAP_FAILED:
            work = Work.BOOTSTRAP
        case _:
            return ""
    logs = {each: tail(session, provision.id, provision.run, each) or LogTail() for each in Work}
    parts = [_check(logs[work]) if work is Work.PREFLIGHT else "", _known(logs), _end_of(logs[work])]
    return "\n".join(part for part in parts if part)


def _check(log: LogTail) -> str:
    check = first_failed(log.text)
    return f"The check {code(check.name)} failed: {word(check.text, 300)}" if check else ""


def _known(logs: dict[Work, LogTail]) -> str:
    met = {code_ for log in logs.values() for code_ in log.failures}
    return "\n".join(f"*{known.what}* {known.remedy}" for known in KNOWN_FAILURES if known.code in met)


def _end_of(log: LogTail) -> str:
    last = [line for line in log.text.splitlines() if line.strip()][-SHOWN_LINES:]
    return "```\n" + "\n".join(word(line, 160) for line in last) + "\n```" if last else ""
