"""After the tour the visitor goes on by hand: in the terminal, as any of the people."""

import asyncio
import os
import signal
import threading
from contextlib import suppress
from typing import TextIO

from bot.demo.telling import Telling
from bot.demo.town import Town

HELP = """Write who does what, for example
  alice: /pod list                 a command
  bob: click Terminate             the newest button of that name that bob can see
  bob: confirm Terminate           the same, saying yes to Slack's "are you sure?"
  bob: home                        bob opens Podkeeper's Home
  bob: reads                       everything that bob sees
  quit
People: alice, bob, carol, dana (the admin), gus (a guest)."""


async def stay(place: Town, telling: Telling, stopping: asyncio.Event, stdin: TextIO | None) -> None:
    """Until the visitor writes `quit`, presses Ctrl-C, or `stopping` is set. Where nothing can be read, or
    not any more, the page stays all the same."""
    telling.say(f"\nThe page: {place.page}")
    telling.shows(HELP)
    loop = asyncio.get_running_loop()
    # Set here, because a shell starts what it puts into the background to ignore it.
    loop.add_signal_handler(signal.SIGINT, stopping.set)
    visiting = asyncio.ensure_future(_visit(place, telling, _lines(stdin)))
    ending = asyncio.ensure_future(stopping.wait())
    try:
        await asyncio.wait({visiting, ending}, return_when=asyncio.FIRST_COMPLETED)
        if visiting.done():
            visiting.result()
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        for task in (visiting, ending):
            task.cancel()
        await asyncio.gather(visiting, ending, return_exceptions=True)


async def _visit(place: Town, telling: Telling, lines: asyncio.Queue[str | None]) -> None:
    while (line := await lines.get()) is not None:
        if line in ("quit", "exit"):
            return
        if line:
            await _act(place, telling, line)
    telling.say("Nothing more comes in here. The page stays until Ctrl-C or SIGTERM.")
    await asyncio.Event().wait()


def _lines(stdin: TextIO | None) -> asyncio.Queue[str | None]:
    """The lines as they come, then None. A thread reads them, because a file cannot be waited for; it takes
    them from the system, because one that waits within Python's own buffer breaks the interpreter's end."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def tell(line: str | None) -> None:
        with suppress(RuntimeError):  # the demo is over, and so is its loop
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def read() -> None:
        rest = b""
        with suppress(OSError):
            while stdin is not None and (some := os.read(stdin.fileno(), 65536)):
                *whole, rest = (rest + some).split(b"\n")
                for line in whole:
                    tell(line.decode(errors="replace").strip())
        if rest:
            tell(rest.decode(errors="replace").strip())
        tell(None)

    threading.Thread(target=read, name="what the visitor writes", daemon=True).start()
    return lines


async def _act(place: Town, telling: Telling, line: str) -> None:
    name, _, what = (part.strip() for part in line.partition(":"))
    try:
        person = place.slack.people[name]
    except LookupError:
        telling.shows(f"There is nobody called {name!r}.\n{HELP}")
        return
    verb, _, label = what.partition(" ")
    try:
        match verb:
            case "click":
                outcome = await person.clicks(label.strip())
            case "confirm":
                outcome = await person.clicks(label.strip(), confirm=True)
            case "home":
                outcome = await person.opens_home()
            case "reads":
                telling.shows(person.screen, most=200)
                return
            case _:
                outcome = await person.types(what)
    except (AssertionError, LookupError, ValueError) as error:
        telling.shows(str(error))
        return
    telling.shows(outcome.text or outcome.error or "(nothing new to see)", most=200)
