"""`podkeeper terminate POD`."""

from argparse import ArgumentParser
from collections.abc import Sequence

from bot.client.command import run
from bot.client.commands.words import add_id, add_json
from bot.client.fleet import terminate
from pods.exit_codes import ExitCode


def main(arguments: Sequence[str]) -> ExitCode:
    """Ask and wait: 0 gone and read back, 70 not confirmed yet, 76 a person was asked, 77 refused."""
    parser = ArgumentParser("podkeeper terminate", description=main.__doc__, allow_abbrev=False)
    parser.add_argument("pod", metavar="POD", help="its id, its name, or its name at RunPod")
    parser.add_argument("--reason", metavar="TEXT", help="why; its owner reads it")
    add_json(parser)
    add_id(parser)
    given = parser.parse_args(arguments)
    return run(
        lambda service, telling: terminate(service, telling, given.pod, given.reason, given.id),
        as_json=given.json,
    )
