"""The simulated Slack as a process of its own: `python -m simulator.slack --port 8081`."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from simulator.clock import WallClock
from simulator.slack.jsontypes import Json
from simulator.slack.manifest import Manifest
from simulator.slack.simulator import SlackSimulator


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until SIGINT or SIGTERM; 1 with a sentence on stderr if that cannot begin."""
    given = _parser().parse_args(arguments)
    try:
        asyncio.run(_serve(given))
    except (OSError, ValueError) as why:
        sys.stderr.write(f"{why}\n")
        return 1
    return 0


async def _serve(given: argparse.Namespace) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    manifest = _manifest(Path(given.manifest)) if given.manifest else Manifest()
    clock = WallClock(given.clock)
    simulator = SlackSimulator(clock, manifest=manifest, port=given.port, request_url=given.request_url)
    async with simulator as slack:
        facts = {
            "api_url": slack.api_url,
            "control_url": slack.control_url,
            "bot_token": slack.bot_token,
            "app_token": slack.app_token,
            "signing_secret": slack.signing_secret,
        }
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()
        await stopped.wait()


def _manifest(path: Path) -> Manifest:
    """A manifest in JSON or YAML. Raises `ValueError` with what is wrong with the file."""
    text = path.read_text(encoding="utf-8")
    try:
        return Manifest.parse(_document(text, path.suffix))
    except ValueError as why:
        raise ValueError(f"the manifest {path} cannot be read: {why}") from why


def _document(text: str, suffix: str) -> Json:
    if suffix not in {".yml", ".yaml"}:
        return cast(Json, json.loads(text))
    try:
        import yaml
    except ImportError:
        raise ValueError("YAML needs the package pyyaml; JSON needs nothing") from None
    try:
        return cast(Json, yaml.safe_load(text))
    except yaml.YAMLError as why:
        raise ValueError(str(why)) from why


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="simulator.slack", description="A simulated Slack workspace.")
    parser.add_argument("--port", type=int, default=0, help="port on loopback; 0 picks a free one")
    parser.add_argument("--manifest", help="the app's manifest, .json or .yml; without it all is allowed")
    parser.add_argument("--clock", default="system", help="system, <wall>:<start>@<rate> or @FILE")
    parser.add_argument("--request-url", help="deliver by signed HTTP to this address instead of Socket Mode")
    return parser


if __name__ == "__main__":
    sys.exit(main())
