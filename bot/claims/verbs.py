"""What people can say about whose a pod is, for the tables of the bot."""

from collections.abc import Mapping

from bot.claims.asking import press_whose
from bot.claims.claiming import press_mine, run_claim, run_unclaim
from bot.claims.giving import press_accept, press_take_over, run_give
from bot.claims.weighing import press_confirm, press_object
from bot.table import Press, Verb

CLAIM_VERBS: Mapping[str, Verb] = {
    "claim": Verb(
        usage="claim POD",
        does="says that a pod is yours, in front of everybody",
        example="claim k2j3h4g5f6d7s8",
        run=run_claim,
    ),
    "unclaim": Verb(
        usage="unclaim POD",
        does="says that a pod is not yours (any more)",
        example="unclaim k2j3h4g5f6d7s8",
        run=run_unclaim,
    ),
    "give": Verb(
        usage="give POD @user",
        does="hands your pod over to somebody, once they accept it",
        example="give train-7b @somebody",
        run=run_give,
    ),
}

CLAIM_CLICKS: Mapping[str, Press] = {
    "claim": press_mine,
    "claim_object": press_object,
    "claim_confirm": press_confirm,
    "give_accept": press_accept,
    "take_over": press_take_over,
    "claim_ask": press_whose,
}
