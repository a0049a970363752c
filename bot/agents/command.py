"""`podkeeper agent add|list|rotate|remove`, on the database itself; the service need not run."""

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

from sqlmodel import Session

from bot.agents import registry
from bot.agents.registry import AgentError
from bot.agents.secrets import SecretFileError, agent_secret, read_master_key
from bot.settings import Settings, SettingsError, read_settings
from bot.stdout import tell
from gateways.wall import Wall, clock_of
from pods.exit_codes import ExitCode
from pods.lines import moment
from pods.names import parse_name
from storage import migrations
from storage.agent import agents
from storage.database import Database
from storage.errors import DatabaseError

USER = re.compile(r"[UW][A-Z0-9]{1,30}")


def main(arguments: Sequence[str]) -> ExitCode:
    """Coding agents: `add` and `rotate` print the secret, and nothing else, on stdout."""
    given = _parser().parse_args(arguments)
    try:
        settings = read_settings()
        migrations.prepare(settings.database_url)
        database = Database(settings.database_url)
        try:
            tell(_done(given, settings, database, clock_of(settings.clock)))
        finally:
            database.close()
    except (AgentError, SecretFileError, SettingsError, DatabaseError) as error:
        sys.stderr.write(f"podkeeper agent: {error}\n")
        return ExitCode.FAILED
    return ExitCode.OK


def _done(given: Namespace, settings: Settings, database: Database, clock: Wall) -> str:
    """What to print. The secret file is read first: an agent whose secret cannot be told is not added."""
    admins, now = frozenset(settings.admins), clock.now()
    match given.verb:
        case "add":
            key = read_master_key(settings.secret_file)
            new = database.run_now(
                lambda session: registry.add(session, given.name, given.owner, admins, now)
            )
            return f"{agent_secret(key, new.name, new.generation)}\n"
        case "rotate":
            key = read_master_key(settings.secret_file)
            new = database.run_now(lambda session: registry.rotate(session, given.name, admins, now))
            return f"{agent_secret(key, new.name, new.generation)}\n"
        case "remove":
            database.run_now(lambda session: registry.remove(session, given.name, admins, now))
            return ""
        case _:
            return database.read_now(_listed)


def _listed(session: Session) -> str:
    rows = [("name", "owner", "state", "added", "last seen")]
    for known in agents(session):
        seen = moment(known.last_seen_at) if known.last_seen_at else "never"
        rows.append((known.name, known.owner, registry.state_of(known), moment(known.added_at), seen))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _parser() -> ArgumentParser:
    parser = ArgumentParser("podkeeper agent", description=main.__doc__, allow_abbrev=False)
    verbs = parser.add_subparsers(dest="verb", metavar="add|list|rotate|remove", required=True)
    add = verbs.add_parser("add", help="adds an agent and prints its secret")
    add.add_argument("--owner", required=True, type=_user, metavar="SLACK_USER", help="whose agent it is")
    verbs.add_parser("list", help="shows all agents")
    rotate = verbs.add_parser("rotate", help="prints a new secret; the old one works for 24 hours more")
    remove = verbs.add_parser("remove", help="takes all its power away, now")
    for verb in (add, rotate, remove):
        verb.add_argument("name", type=_name, metavar="NAME")
    return parser


def _name(text: str) -> str:
    try:
        return parse_name(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _user(text: str) -> str:
    user = text.removeprefix("<@").removesuffix(">")
    if not USER.fullmatch(user):
        raise ArgumentTypeError(f"{text} is no Slack user id; one looks like U012AB3CD")
    return user
