"""`podkeeper run observe|stale-audit|outbox|digest`: one pass of a job, now, in its own process."""

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bot import log
from bot.app import house_of
from bot.letters import letters
from bot.serve import FAULTS
from bot.settings import Settings, read_settings
from jobs.digest.passing import Digest
from jobs.house import House
from jobs.observe.looking import Observer
from jobs.outbox.sending import Sender
from jobs.ticker import Pass
from jobs.watch import Watcher
from pods.exit_codes import ExitCode
from storage import migrations
from storage.database import Database


async def _observe(house: House) -> Pass:
    looked = await Observer(house).run()
    await Watcher(house).judge()
    return looked


JOBS: Mapping[str, Callable[[House], Awaitable[Pass]]] = {
    "observe": _observe,
    "stale-audit": lambda house: Watcher(house).stale_audit(),
    "digest": lambda house: Digest(house).run(),
    "outbox": lambda house: Sender(house, letters(house)).run(),
}


def main(arguments: Sequence[str]) -> ExitCode:
    """One pass of a job, now. A doubtful clock or an incomplete look is said on stderr and is no failure."""
    parser = ArgumentParser("podkeeper run", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("job", choices=sorted(JOBS))
    given = parser.parse_args(arguments)
    try:
        settings = read_settings()
        log.set_up(settings.log)
        passed = asyncio.run(one_pass(settings, given.job))
    except FAULTS as fault:
        sys.stderr.write(f"podkeeper run {given.job}: {fault}\n")
        return ExitCode.FAILED
    if passed.sentence or not passed.complete:
        sentence = passed.sentence or "it did not see all that it has to see; nothing was ended"
        sys.stderr.write(f"podkeeper run {given.job}: {sentence}\n")
    return ExitCode.OK


async def one_pass(settings: Settings, job: str) -> Pass:
    """What the pass saw and did. Raises one of `bot.serve.FAULTS`."""
    migrations.prepare(settings.database_url)
    database = Database(settings.database_url)
    try:
        async with house_of(settings, database) as house:
            return await JOBS[job](house)
    finally:
        database.close()
