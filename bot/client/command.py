"""Runs one command of the client: from the settings to the exit code."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator

from bot.client.address import read_address
from bot.client.ending import Ending
from bot.client.service import Service
from bot.client.telling import Telling
from bot.client.wire import Wire
from pods.exit_codes import ExitCode

Command = Callable[[Service, Telling], ExitCode]


def run(command: Command, *, as_json: bool = False) -> ExitCode:
    """Do it against the service that the settings name. Whoever interrupts it ends the telling only."""
    telling = Telling(as_json=as_json)
    try:
        with _hangups_interrupt():
            return command(Service(Wire(read_address()), telling.say), telling)
    except Ending as end:
        telling.say(end.sentence)
        telling.matches(end.matches)
        return end.code
    except KeyboardInterrupt:
        # The terminal may be gone with whoever sat at it.
        with contextlib.suppress(OSError):
            telling.say("Not telling any more. What the service has taken on goes on.")
        return ExitCode.INTERRUPTED
    except OSError:
        # What is said cannot be written, because nobody reads it any more or a disk is full; without this
        # the interpreter would complain at its own end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERRUPTED
    finally:
        with contextlib.suppress(OSError):
            telling.close()


@contextlib.contextmanager
def _hangups_interrupt() -> Iterator[None]:
    """SIGHUP and SIGTERM end us as Ctrl-C does, unless we were started to ignore them (`nohup`)."""
    signals = [each for each in (signal.SIGHUP, signal.SIGTERM) if signal.getsignal(each) is signal.SIG_DFL]
    for each in signals:
        signal.signal(each, signal.default_int_handler)
    try:
        yield
    finally:
        for each in signals:
            signal.signal(each, signal.SIG_DFL)
