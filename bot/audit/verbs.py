"""What people can say to see what the judgement says, for the tables of the bot."""

from collections.abc import Mapping

from bot.audit.command import run_audit, run_why
from bot.table import Verb

AUDIT_VERBS: Mapping[str, Verb] = {
    "audit": Verb(
        usage="audit [POD]",
        does="shows what needs somebody, or everything about one pod",
        example="audit train-7b",
        run=run_audit,
    ),
    "why": Verb(
        usage="why POD",
        does="shows everything that I know about one pod, and what follows from it",
        example="why train-7b",
        run=run_why,
    ),
}
