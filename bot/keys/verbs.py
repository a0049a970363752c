"""What people can say about their SSH keys, for the tables of the bot."""

from collections.abc import Mapping

from bot.keys.command import run_key
from bot.table import Verb

KEY_VERBS: Mapping[str, Verb] = {
    "key": Verb(
        usage="key add KEY | key list | key remove N",
        does="your SSH public keys, which are put on pods that you ask for",
        example="key list",
        run=run_key,
    ),
}
