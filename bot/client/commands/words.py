"""Words that several of the client's commands know."""

import re
from argparse import ArgumentParser, ArgumentTypeError

from bot.client.service import new_id


def add_json(parser: ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, at the end")


def add_id(parser: ArgumentParser) -> None:
    """`--id`, a new one unless given."""
    parser.add_argument(
        "--id",
        type=_request_id,
        default=new_id(),
        metavar="ID",
        help="the id of an earlier try, to send the same again safely",
    )


def _request_id(text: str) -> str:
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", text):
        raise ArgumentTypeError("must be the id of an earlier try: 1 to 200 plain characters, without spaces")
    return text
