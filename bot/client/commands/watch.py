"""`podkeeper watch PROVISION`."""

from argparse import ArgumentParser
from collections.abc import Sequence

from bot.client.command import run
from bot.client.commands.words import add_json
from bot.client.provisions import watch
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Tell until the provision is decided; its exit code."""
    parser = ArgumentParser("podkeeper watch", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("provision", metavar="PROVISION", help="its id, as in PROVISION: id=…")
    add_json(parser)
    given = parser.parse_args(arguments)
    return run(lambda service, telling: watch(service, telling, given.provision), as_json=given.json)
