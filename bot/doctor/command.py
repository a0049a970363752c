"""`podkeeper doctor`: one line for each check, then the settings, secrets hidden."""

import asyncio
import sys
from collections.abc import Sequence

from bot.doctor.check import failing
from bot.doctor.examination import examined
from bot.settings import SettingsError, printed, read_settings
from gateways.wall import ClockSettingError
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Ends with 1 if a check fails."""
    if arguments:
        sys.stderr.write("usage: podkeeper doctor\n\nIt takes no arguments; see the settings.\n")
        return ExitCode.USAGE
    try:
        settings = read_settings()
        checks = asyncio.run(examined(settings))
    except (SettingsError, ClockSettingError) as error:
        sys.stderr.write(f"podkeeper doctor: {error}\n")
        return ExitCode.FAILED
    sys.stdout.writelines(f"{check}\n" for check in checks)
    sys.stdout.writelines(["\n", *(f"{name}={value}\n" for name, value in printed(settings))])
    return ExitCode.FAILED if failing(checks) else ExitCode.OK
