"""After the tour the visitor goes on by hand: in the terminal, as any of the people."""

import asyncio
import sys
from contextlib import suppress

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


async def stay(place: Town, telling: Telling, stopping: asyncio.Event) -> None:
    """Until the visitor has enough: `quit`, the end of input, Ctrl-C or a signal."""
    telling.say(f"\nThe page: {place.page}")
    telling.shows(HELP)
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    asyncio.get_running_loop().add_reader(sys.stdin, lambda: lines.put_nowait(sys.stdin.readline() or None))
    ending = asyncio.ensure_future(stopping.wait())
    try:
        while not ending.done():
            reading = asyncio.ensure_future(lines.get())
            await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                reading.cancel()
                break
            line = reading.result()
            if line is None or line.strip() in ("quit", "exit"):
                break
            if line.strip():
                await _act(place, telling, line.strip())
    finally:
        asyncio.get_running_loop().remove_reader(sys.stdin)
        ending.cancel()
        with suppress(asyncio.CancelledError):
            await ending


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
