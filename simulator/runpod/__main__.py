"""The simulated RunPod account as a process of its own: `python -m simulator.runpod --port 8990`."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence

from simulator.clock import ClockSpecError, WallClock
from simulator.runpod.simulator import RunPodSimulator


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; 1 with a sentence on stderr if that cannot begin."""
    given = _parser().parse_args(arguments)
    try:
        asyncio.run(_serve(given))
    except (ClockSpecError, OSError) as why:
        sys.stderr.write(f"{why}\n")
        return 1
    return 0


async def _serve(given: argparse.Namespace) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    simulator = RunPodSimulator(
        WallClock(given.clock), api_key=given.api_key, port=given.port, seed=given.seed
    )
    simulator.fleet.account.ssh_keys = tuple(given.ssh_key)
    async with simulator as runpod:
        sys.stdout.write(f"{runpod.url}\n")
        sys.stdout.flush()
        await stopped.wait()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="simulator.runpod", description="A simulated RunPod account.")
    parser.add_argument(
        "--port", type=_port, default=0, help="port on loopback; 0 picks a free one and prints it"
    )
    parser.add_argument("--clock", default="system", help="system, <wall>:<start>@<rate> or @FILE")
    parser.add_argument("--api-key", default="rpa_simulated", help="the key that is let in")
    parser.add_argument("--seed", type=int, default=1, help="decides ids, machines and data")
    parser.add_argument("--ssh-key", action="append", default=[], help="a key registered with the account")
    return parser


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a whole number from 0 to 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
