"""What people can say to look at the fleet, for the tables of the bot."""

from collections.abc import Mapping

from bot.fleet.connecting import run_ssh
from bot.fleet.gpus import run_gpus
from bot.fleet.listing import run_list
from bot.fleet.paging import turn_page
from bot.table import Press, Verb

FLEET_VERBS: Mapping[str, Verb] = {
    "list": Verb(
        usage="list [mine|all]",
        does="lists pods with owner, state, age and price",
        example="list all",
        run=run_list,
    ),
    "ssh": Verb(
        usage="ssh NAME",
        does="tells how to connect to a pod",
        example="ssh train-7b",
        run=run_ssh,
    ),
    "gpus": Verb(
        usage="gpus [WORD]",
        does="lists GPU types with price and stock",
        example="gpus h100",
        run=run_gpus,
    ),
}

FLEET_CLICKS: Mapping[str, Press] = {
    "page_next": turn_page,
    "page_prev": turn_page,
}
