"""`podkeeper cancel PROVISION`."""

from argparse import ArgumentParser
from collections.abc import Sequence

from bot.client.command import run
from bot.client.commands.words import add_id
from bot.client.provisions import cancel
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Call it off and wait; 85 or 86 as it ends, 0 if there was nothing to call off."""
    parser = ArgumentParser("podkeeper cancel", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("provision", metavar="PROVISION", help="its id, as in PROVISION: id=…")
    add_id(parser)
    given = parser.parse_args(arguments)
    return run(lambda service, telling: cancel(service, telling, given.provision, given.id))
