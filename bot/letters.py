"""Every kind of message that leaves through the outbox, and the function that draws it: one line each."""

from bot.agents.messages import AGENT_KINDS
from bot.alerts.kinds import ALERTS
from bot.approvals.kinds import approval_kinds
from bot.claims.kinds import claim_kinds
from bot.digest.kinds import digest_kinds
from bot.ends.kinds import END_KINDS
from bot.provision.kinds import PROVISION_KINDS
from jobs.house import House
from jobs.outbox.kinds import Kinds

_ALWAYS: Kinds = {**AGENT_KINDS, **ALERTS, **END_KINDS, **PROVISION_KINDS}


def letters(house: House) -> Kinds:
    """All of them; some need to know how the house is set."""
    return {**_ALWAYS, **approval_kinds(house), **claim_kinds(house), **digest_kinds(house)}
