"""`podkeeper doctor`: one line for each check, then the settings, secrets hidden."""

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from bot.doctor.check import failing
from bot.doctor.examination import examined
from bot.settings import SettingsError, printed, read_settings
from bot.stdout import tell
from gateways.wall import ClockSettingError
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Look at all that has to be right: one line for each check, then the settings. A check that fails makes
    it end with 1."""
    parser = ArgumentParser("podkeeper doctor", description=main.__doc__, allow_abbrev=False)
    parser.parse_args(arguments)
    try:
        settings = read_settings()
        checks = asyncio.run(examined(settings))
    except (SettingsError, ClockSettingError) as error:
        sys.stderr.write(f"podkeeper doctor: {error}\n")
        return ExitCode.FAILED
    lines = [*map(str, checks), "", *(f"{name}={value}" for name, value in printed(settings)), ""]
    tell("\n".join(lines))
    return ExitCode.FAILED if failing(checks) else ExitCode.OK
