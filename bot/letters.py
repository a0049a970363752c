"""Every kind of message that leaves through the outbox, and the function that draws it: one line each."""

from bot.alerts.kinds import ALERTS
from bot.ends.kinds import END_KINDS
from bot.provision.kinds import PROVISION_KINDS
from jobs.outbox.kinds import Kinds

LETTERS: Kinds = {**ALERTS, **END_KINDS, **PROVISION_KINDS}
