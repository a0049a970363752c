"""The `podkeeper` command: a table of commands, each in a module that is imported when it is called.

So a client starts at once and loads neither the bot nor a database. Command lines are read by argparse:
typer builds pydantic validators at every start, which alone takes most of the time that a client may take.
"""

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from bot.stdout import Unwritable, tell
from pods.exit_codes import ExitCode


class Entry(NamedTuple):
    """A command: the module whose `main` does it, and what it does in a few words."""

    module: str
    summary: str


COMMANDS: Mapping[str, Entry] = {
    "serve": Entry("bot.serve", "runs the bot"),
    "doctor": Entry("bot.doctor.command", "checks that everything is as it must be"),
    "demo": Entry("bot.demo.command", "shows the whole product at work, without any account"),
    "provision": Entry(
        "bot.client.commands.provision", "asks the running service for a pod and tells what happens"
    ),
    "watch": Entry("bot.client.commands.watch", "goes on telling what happens to a provision"),
    "cancel": Entry("bot.client.commands.cancel", "calls a provision off"),
    "terminate": Entry("bot.client.commands.terminate", "asks the running service to end a pod"),
    "audit": Entry("bot.client.commands.audit", "shows the fleet with a verdict for each pod, or one pod"),
    "run": Entry("bot.upkeep.run", "does one pass of a job, now, in its own process"),
    "db": Entry("bot.upkeep.db", "brings the database up to date"),
    "log": Entry("bot.upkeep.log", "checks the audit trail's chain"),
    "agent": Entry("bot.agents.command", "adds, lists, rotates and removes coding agents"),
}


class Command(Protocol):
    """A command's module."""

    def main(self, arguments: Sequence[str]) -> ExitCode:
        """Do it with the words behind the command's name. Wrong usage leaves with 2 by itself."""
        ...


def main() -> None:
    """The entry point. Whoever has closed the output, before or meanwhile, still gets the work done and its
    exit code."""
    with Path(os.devnull).open("w") as nowhere:
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        try:
            code = _ended(sys.argv[1:])
            tell()
        except Unwritable as error:
            sys.stderr.write(f"podkeeper: {error}\n")
            code = ExitCode.FAILED
        sys.exit(code)


def _ended(words: Sequence[str]) -> int | str | None:
    """The exit status, also of argparse, which leaves by itself and may have help that is not written yet."""
    try:
        return run(words)
    except SystemExit as left:
        return left.code


def run(words: Sequence[str]) -> ExitCode:
    """Run the command that the first word names, on the rest of them."""
    name, rest = (words[0], words[1:]) if words else ("", ())
    if unreadable := [word for word in words if not _is_text(word)]:
        sys.stderr.write(f"podkeeper: {unreadable[0]!a} is no text in UTF-8.\n")
        return ExitCode.USAGE
    if name in COMMANDS:
        return _loaded(COMMANDS[name]).main(rest)
    if name in ("-h", "--help", "help"):
        sys.stdout.write(_overview())
        return ExitCode.OK
    sys.stderr.write(f"podkeeper: there is no command `{name}`.\n\n" if name else "")
    sys.stderr.write(_overview())
    return ExitCode.USAGE


def _is_text(word: str) -> bool:
    """Bytes that are no UTF-8 come in as halves of surrogate pairs, which nobody can send or store."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _loaded(entry: Entry) -> Command:
    """The command's module. What is imported stays, so looking for garbage meanwhile finds none; it would
    take a fifth of the time."""
    gc.disable()
    try:
        return cast(Command, import_module(entry.module))
    finally:
        gc.enable()


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name.ljust(width)}  {entry.summary}" for name, entry in COMMANDS.items()]
    return "\n".join(
        ["usage: podkeeper COMMAND …", "", *lines, "", "podkeeper COMMAND --help tells more.", ""]
    )
