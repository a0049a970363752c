"""`podkeeper db upgrade`: brings the database up to date."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from bot.settings import SettingsError, read_settings
from bot.stdout import tell
from pods.exit_codes import ExitCode
from storage import migrations
from storage.errors import DatabaseError


def main(arguments: Sequence[str]) -> ExitCode:
    """Bring the database that DATABASE_URL names up to date: all of it, or nothing."""
    parser = ArgumentParser("podkeeper db", description=main.__doc__, allow_abbrev=False)
    parser.add_subparsers(required=True).add_parser("upgrade")
    parser.parse_args(arguments)
    try:
        settings = read_settings()
        before = migrations.version_of(settings.database_url)
        migrations.upgrade(settings.database_url)
    except (SettingsError, DatabaseError) as error:
        sys.stderr.write(f"podkeeper db: {error}\n")
        return ExitCode.FAILED
    told = "was up to date" if before == migrations.HEAD else f"was {before or 'new'}"
    tell(f"the database is at version {migrations.HEAD} ({told})\n")
    return ExitCode.OK
