"""Everything that people can say to the bot, feature by feature."""

from collections.abc import Mapping

from bot.agents.clicks import AGENT_CLICKS
from bot.alerts.overruling import OVERRULING_CLICKS
from bot.approvals.verbs import APPROVAL_CLICKS, APPROVAL_FORMS
from bot.audit.verbs import AUDIT_VERBS
from bot.claims.verbs import CLAIM_CLICKS, CLAIM_VERBS
from bot.fleet.verbs import FLEET_CLICKS, FLEET_VERBS
from bot.help.command import run_help
from bot.help.direct import written_to
from bot.home.opening import home_opened
from bot.keep.verbs import KEEP_CLICKS, KEEP_FORMS, KEEP_VERBS
from bot.keys.verbs import KEY_VERBS
from bot.provision.verbs import PROVISION_CLICKS, PROVISION_FORMS, PROVISION_VERBS
from bot.switches.verbs import SWITCH_CLICKS, SWITCH_VERBS
from bot.table import Form, Hear, Press, Tables, Verb
from bot.terminate.verbs import END_CLICKS, END_VERBS

VERBS: Mapping[str, Verb] = {
    "help": Verb(
        usage="help [command]",
        does="tells what I can do, or all about one command",
        example="help terminate",
        run=lambda house, typed: run_help(house, typed, VERBS),
    ),
    **PROVISION_VERBS,
    **END_VERBS,
    **AUDIT_VERBS,
    **KEEP_VERBS,
    **CLAIM_VERBS,
    **SWITCH_VERBS,
    **FLEET_VERBS,
    **KEY_VERBS,
}

CLICKS: Mapping[str, Press] = {
    **AGENT_CLICKS,
    **PROVISION_CLICKS,
    **END_CLICKS,
    **APPROVAL_CLICKS,
    **KEEP_CLICKS,
    **CLAIM_CLICKS,
    **SWITCH_CLICKS,
    **OVERRULING_CLICKS,
    **FLEET_CLICKS,
}

FORMS: Mapping[str, Form] = {**PROVISION_FORMS, **APPROVAL_FORMS, **KEEP_FORMS}

EVENTS: Mapping[str, Hear] = {"message": written_to, "app_home_opened": home_opened}

TABLES = Tables(verbs=VERBS, clicks=CLICKS, forms=FORMS, events=EVENTS)
