"""What people can say about provisions, for the tables of the bot."""

from collections.abc import Mapping

from bot.provision.acting import press_cancel, press_retry, run_cancel, run_logs, run_retry
from bot.provision.form import CALLBACK
from bot.provision.going_on import ACTION, go_on
from bot.provision.ordering import check_form, run_provision, submit_form
from bot.table import Form, Press, Verb

PROVISION_VERBS: Mapping[str, Verb] = {
    "provision": Verb(
        usage="provision [NAME --gpu TYPE …]",
        does="opens the form for a new pod; with arguments goes straight ahead",
        example="provision train-7b --gpu H100 --repo https://github.com/team/code --for 8h",
        run=run_provision,
    ),
    "cancel": Verb(
        usage="cancel NAME",
        does="calls a provision off",
        example="cancel train-7b",
        run=run_cancel,
    ),
    "retry": Verb(
        usage="retry NAME",
        does="runs the bootstrap of a failed provision again",
        example="retry train-7b",
        run=run_retry,
    ),
    "logs": Verb(
        usage="logs NAME [bootstrap|preflight]",
        does="shows the last lines of what runs on the pod, privately",
        example="logs train-7b bootstrap",
        run=run_logs,
    ),
}

PROVISION_CLICKS: Mapping[str, Press] = {
    "provision_cancel": press_cancel,
    "provision_retry": press_retry,
    ACTION: go_on,
}

PROVISION_FORMS: Mapping[str, Form] = {CALLBACK: Form(check=check_form, submit=submit_form)}
