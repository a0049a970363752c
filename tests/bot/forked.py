"""`podkeeper` in real processes that start at once: forked from one that has imported everything.

To import the service costs more than all else that a start does. The fork server of `multiprocessing` does it
once; what it forks is a process like any other: with settings and files of its own, signalled, really killed.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from bot.cli import run

_PRELOADED = ["tests.bot.forked", "bot.serve", "bot.agents.command", "bot.client.commands.provision"]
_NUMBERS = count(1)
_context = get_context("forkserver")
_main = sys.modules["__main__"].__spec__
_context.set_forkserver_preload([*_PRELOADED, *([_main.name] if _main else [])])
"""Every process begins with what began this one, `pytest` for instance: that is imported before, too."""


@dataclass(frozen=True, slots=True)
class Forked:
    """A running command, and the files that it writes to."""

    process: BaseProcess
    out: Path
    errors: Path

    @property
    def said(self) -> str:
        """What it has written on stderr."""
        return self.errors.read_text(errors="replace") if self.errors.exists() else ""

    async def ends(self) -> int:
        """The exit status; negative for the signal that killed it."""
        await asyncio.to_thread(self.process.join)
        assert self.process.exitcode is not None
        return self.process.exitcode

    async def stops(self) -> int:
        """The exit status after SIGTERM."""
        self.process.terminate()
        return await self.ends()

    async def is_killed(self) -> None:
        """SIGKILL: nothing that it was about to do is done."""
        self.process.kill()
        assert await self.ends() == -signal.SIGKILL


@asynccontextmanager
async def forked(
    settings: Mapping[str, str],
    folder: Path,
    *words: str,
    before: Callable[[], None] | None = None,
) -> AsyncIterator[Forked]:
    """`podkeeper WORDS` (`serve` if there are none) in this folder, ended with the block.

    `before` is called in the process itself before anything else: a function of a module, no closure.
    """
    number = next(_NUMBERS)
    out, errors = folder / f"forked-{number}.out", folder / f"forked-{number}.err"
    plain = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = (words or ("serve",), {**plain, **settings}, folder, out, errors, before)
    process = _context.Process(target=_become, args=command, daemon=True)
    await asyncio.to_thread(process.start)
    try:
        yield Forked(process, out, errors)
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
        process.close()


def _become(
    words: tuple[str, ...],
    settings: Mapping[str, str],
    folder: Path,
    out: Path,
    errors: Path,
    before: Callable[[], None] | None,
) -> None:
    """What the forked process does: nothing of its parent's surroundings is left when the command begins."""
    os.environ.clear()
    os.environ.update(settings)
    os.chdir(folder)
    for number, file in ((1, out), (2, errors)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), number)
    sys.argv = ["podkeeper", *words]
    if before is not None:
        before()
    sys.exit(run(words))
