"""`podkeeper log verify [--expect HASH]`: whether the audit trail is what was written."""

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import assert_never

from bot.settings import SettingsError, read_settings
from bot.stdout import tell
from pods.exit_codes import ExitCode
from storage import migrations
from storage.database import Database
from storage.errors import DatabaseError
from storage.trail import Broken, BrokenHead, Ok, verify


def main(arguments: Sequence[str]) -> ExitCode:
    """Recompute the chain: `OK rows=… head=…`, or `BROKEN …` with status 1."""
    parser = ArgumentParser("podkeeper log", description=main.__doc__, allow_abbrev=False)
    verbs = parser.add_subparsers(required=True)
    verbs.add_parser("verify").add_argument("--expect", metavar="HASH", type=_hash)
    given = parser.parse_args(arguments)
    try:
        settings = read_settings()
        if migrations.version_of(settings.database_url) is None:
            raise SettingsError("DATABASE_URL: there is no database yet, so there is no trail")
        database = Database(settings.database_url)
        try:
            found = database.read_now(lambda session: verify(session, given.expect))
        finally:
            database.close()
    except (SettingsError, DatabaseError) as error:
        sys.stderr.write(f"podkeeper log: {error}\n")
        return ExitCode.FAILED
    tell(f"{_line(found)}\n")
    return ExitCode.OK if isinstance(found, Ok) else ExitCode.FAILED


def _line(found: Ok | Broken | BrokenHead) -> str:
    match found:
        case Ok(rows, head):
            return f"OK rows={rows} head={head}"
        case Broken(row):
            return f"BROKEN row={row}"
        case BrokenHead(expected, head):
            return f"BROKEN expected={expected} head={head}"
        case _:
            assert_never(found)


def _hash(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise ArgumentTypeError("a hash has 64 digits of 0-9 a-f, as the digest ends with")
    return text
