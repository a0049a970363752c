"""Whether an agent made a pod: asked at each of its signs of life."""

from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam
from sqlalchemy import select as sql_select
from sqlmodel import Session

from pods.ids import ProvisionId
from storage.provision import CreateCallRow, ProvisionRow
from storage.rows import table_of


def made_for_agent(session: Session, pod_id: str, agent: str, owner: str) -> ProvisionId | None:
    """The provision that made this pod, if it was a wish of this agent's for this owner.

    Once true it stays true, and many events share a transaction: within it a yes is not asked for again.
    """
    known: dict[tuple[str, str, str], ProvisionId] = session.info.setdefault("made_for_agent", {})
    if found := known.get((pod_id, agent, owner)):
        return found
    names = {"pod_id": pod_id, "agent": agent, "owner": owner}
    made = session.connection().execute(_made_for_agent(), names).first()
    if made is None:
        return None
    return known.setdefault((pod_id, agent, owner), ProvisionId(made[0]))


@cache
def _made_for_agent() -> Select[*tuple[Any, ...]]:
    """Every sign of life of an agent asks for it: built once, for building takes longer than running."""
    call, wished = table_of(CreateCallRow), table_of(ProvisionRow)
    return (
        sql_select(wished.c.id)
        .join_from(call, wished, call.c.provision_id == wished.c.id)
        .where(
            call.c.pod_id == bindparam("pod_id"),
            wished.c.agent == bindparam("agent"),
            wished.c.owner == bindparam("owner"),
        )
    )
