"""`podkeeper provision NAME …`: the options are those of the one table that Slack reads too."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence

from bot.client.command import run
from bot.client.commands.words import add_id, add_json
from bot.client.provisions import provision
from pods.exit_codes import ExitCode
from pods.options import NAME, OPTIONS, Complaint
from pods.wish import request_of, wish_from_command


def main(arguments: Sequence[str]) -> ExitCode:
    """Ask for a pod and tell what happens to it. Ctrl-C ends the telling, not the work."""
    parser = ArgumentParser(
        "podkeeper provision",
        usage="podkeeper provision NAME [options] [--no-wait] [--json] [--id ID]",
        description=main.__doc__,
        epilog="\n".join(["options of the pod:", *_described()]),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--no-wait", action="store_true", help="leave once it is accepted; nothing is ready then"
    )
    add_json(parser)
    add_id(parser)
    given, rest = parser.parse_known_args(arguments)
    wish = wish_from_command(rest)
    if wish.complaints:
        return _wrong(wish.complaints)
    order = request_of(wish)
    return run(
        lambda service, telling: provision(service, telling, order, given.id, stay=not given.no_wait),
        as_json=given.json,
    )


def _described() -> Iterable[str]:
    for option in OPTIONS:
        typed = option.value if option.name == NAME else f"--{option.name} {option.value}".rstrip()
        yield f"  {typed:<34}{option.help}"


def _wrong(complaints: Iterable[Complaint]) -> ExitCode:
    for complaint in complaints:
        sys.stderr.write(f"podkeeper provision: {complaint}\n")
    return ExitCode.USAGE
