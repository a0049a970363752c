"""Words that several of the client's commands know."""

from argparse import ArgumentParser

from bot.client.service import new_id


def add_json(parser: ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, at the end")


def add_id(parser: ArgumentParser) -> None:
    """`--id`, a new one unless given."""
    parser.add_argument(
        "--id", default=new_id(), metavar="ID", help="the id of an earlier try, to send the same again safely"
    )
