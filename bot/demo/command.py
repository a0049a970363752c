"""`podkeeper demo [--once] [--speed N] [--port P]`: the whole product at work, without any account."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from bot.demo.fleet import furnish
from bot.demo.settings import SHORTENED
from bot.demo.stay import stay
from bot.demo.telling import Telling
from bot.demo.tour import Tour
from bot.demo.town import DemoFailed, Town, last_words, town
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Run the demo."""
    parser = argparse.ArgumentParser(
        "podkeeper demo", description="The main job for real, against a simulated Slack and RunPod."
    )
    parser.add_argument("--once", action="store_true", help="end after the tour")
    parser.add_argument("--speed", type=_speed, default=60.0, help="how fast its clock runs (60)")
    parser.add_argument("--port", type=_port, default=0, help="port of the page (any free one)")
    given = parser.parse_args(arguments)
    try:
        return asyncio.run(_demo(once=given.once, speed=given.speed, port=given.port))
    except KeyboardInterrupt:
        return ExitCode.OK


def _speed(text: str) -> float:
    with suppress(ValueError):
        if 1 <= (speed := float(text)) <= 120:
            return speed
    raise argparse.ArgumentTypeError("between 1 and 120: real SSH and real checks need real time")


def _port(text: str) -> int:
    with suppress(ValueError):
        if 0 <= (port := int(text)) <= 65535:
            return port
    raise argparse.ArgumentTypeError(f"{text} is no port; give one of 1 to 65535, or 0 for any free one")


async def _demo(*, once: bool, speed: float, port: int) -> ExitCode:
    telling = Telling()
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    try:
        async with town(speed, port) as place:
            _introduce(telling, place)
            try:
                await Tour(place, telling, furnish(place.runpod)).walk()
            except (DemoFailed, AssertionError, LookupError) as failure:
                raise DemoFailed(f"{failure}\n\nThe bot's last words:\n{last_words(place.log)}") from failure
            if not once:
                await stay(place, telling, stopping, sys.stdin)
    except DemoFailed as failure:
        sys.stderr.write(f"\nThe demo failed: {failure}\n")
        return ExitCode.FAILED
    return ExitCode.OK


def _introduce(telling: Telling, place: Town) -> None:
    telling.say(
        "This is Podkeeper: the real bot, in a process of its own, between a simulated Slack and a simulated "
        f"RunPod whose pods are real SSH servers. A minute here is {60 / place.speed:g} s."
    )
    telling.say("Settings that differ from the defaults, so that nobody has to wait a day:")
    telling.settings((name, value, why) for name, (value, why) in SHORTENED.items())
