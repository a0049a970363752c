"""`podkeeper audit [POD]`."""

from argparse import ArgumentParser
from collections.abc import Sequence

from bot.client.command import run
from bot.client.commands.words import add_json
from bot.client.fleet import audit
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Show it: 0 nothing to do, 20 findings, 21 not seen whole."""
    parser = ArgumentParser("podkeeper audit", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("pod", metavar="POD", nargs="?", help="its id, its name, or its name at RunPod")
    add_json(parser)
    given = parser.parse_args(arguments)
    return run(lambda service, telling: audit(service, telling, given.pod), as_json=given.json)
