"""Rules that the database itself keeps, whoever writes to it: what the ledger and the trail may never become.

They are put (back) in place after every upgrade, because SQLite changes a table by making a new one.
"""

from dataclasses import dataclass

from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses an `event` on the rows of a table that fit the condition, with a sentence."""

    table: str
    event: str
    sentence: str
    condition: str = "true"

    @property
    def name(self) -> str:
        words = self.event.lower().split()
        return (
            f"guard_{self.table}_{words[0]}_{words[-1]}"
            if len(words) > 1
            else f"guard_{self.table}_{words[0]}"
        )


REBOUND = "OLD.pod_id IS NOT NULL AND NEW.pod_id IS DISTINCT FROM OLD.pod_id"

GUARDS = (
    Guard("trail", "UPDATE", "the audit trail is append-only"),
    Guard("trail", "DELETE", "the audit trail is append-only"),
    Guard("provision", "DELETE", "the ledger forgets nothing"),
    Guard("create_call", "DELETE", "the ledger forgets nothing"),
    Guard("provision", "UPDATE OF pod_id", "the ledger never moves to another pod", REBOUND),
    Guard("create_call", "UPDATE OF pod_id", "the ledger never moves to another pod", REBOUND),
)


def put_up(connection: Connection) -> None:
    """Put every guard in place. Harmless if they are there already."""
    statements = _sqlite if connection.dialect.name == "sqlite" else _postgresql
    for guard in GUARDS:
        for statement in statements(guard):
            connection.exec_driver_sql(statement)


def _sqlite(guard: Guard) -> tuple[str, ...]:
    condition = guard.condition.replace("IS DISTINCT FROM", "IS NOT")
    return (
        f"DROP TRIGGER IF EXISTS {guard.name}",
        f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table} WHEN {condition} "
        f"BEGIN SELECT RAISE(ABORT, '{guard.sentence}'); END",
    )


def _postgresql(guard: Guard) -> tuple[str, ...]:
    statements = [
        f"CREATE OR REPLACE FUNCTION {guard.name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{guard.sentence}' USING ERRCODE = 'restrict_violation'; END $$",
        f"CREATE OR REPLACE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table} "
        f"FOR EACH ROW WHEN ({guard.condition}) EXECUTE FUNCTION {guard.name}()",
    ]
    if guard.condition == "true":
        statements.append(
            f"CREATE OR REPLACE TRIGGER {guard.name}_truncate BEFORE TRUNCATE ON {guard.table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {guard.name}()"
        )
    return tuple(statements)
