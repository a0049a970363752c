"""What can be pressed and sent off about questions, for the tables of the bot."""

from collections.abc import Mapping

from bot.approvals.all_of_them import ALL_CALLBACK, check_all, press_all, submit_all
from bot.approvals.buttons import END, KEEP, KEEP_1D, NOT_MINE, STOP, WHY
from bot.approvals.forms import KEEP_CALLBACK, REASON_CALLBACK
from bot.approvals.group import ALL
from bot.approvals.pressing import press_end, press_keep, press_keep_1d, press_not_mine, press_stop, press_why
from bot.approvals.submitting import check_keep, check_reason, submit_keep, submit_reason
from bot.table import Form, Press

APPROVAL_CLICKS: Mapping[str, Press] = {
    KEEP_1D: press_keep_1d,
    KEEP: press_keep,
    STOP: press_stop,
    END: press_end,
    NOT_MINE: press_not_mine,
    WHY: press_why,
    ALL: press_all,
}

APPROVAL_FORMS: Mapping[str, Form] = {
    KEEP_CALLBACK: Form(check=check_keep, submit=submit_keep),
    REASON_CALLBACK: Form(check=check_reason, submit=submit_reason),
    ALL_CALLBACK: Form(check=check_all, submit=submit_all),
}
