"""Standard output whose reader may go away (`podkeeper doctor | head -1`): work and exit code stay."""

import os
import sys


class Unwritable(Exception):
    """What was to be told cannot be written; the message says why."""


def tell(text: str = "") -> None:
    """Write it out at once, with all that was written before. That nobody reads any more is no failure.

    Raises Unwritable for every other reason, like a full disk.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _let_go()
    except OSError as error:
        _let_go()
        raise Unwritable(f"standard output cannot be written: {error.strerror}") from error


def _let_go() -> None:
    """What is still held, and all that follows, goes nowhere; else the interpreter complains at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
