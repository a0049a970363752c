"""The frozen values say of every column what the table says of it."""

from types import NoneType
from typing import get_args, get_type_hints

import pytest
from sqlmodel import SQLModel

from storage import (
    agent,
    agent_request,
    claim,
    deed,
    inbox,
    job,
    keep,
    ledger,
    listing,
    outbox,
    page,
    person,
    provision,
    question,
    said,
    ssh,
    switch,
    verdict,
)
from storage.rows import table_of

PAIRS = [
    (agent.Agent, agent.AgentRow),
    (agent_request.AgentRequest, agent_request.AgentRequestRow),
    (agent_request.Note, agent_request.NoteRow),
    (claim.HandOver, claim.HandOverRow),
    (deed.Deed, deed.DeedRow),
    (inbox.Incoming, inbox.InboxRow),
    (job.JobPass, job.JobPassRow),
    (keep.Keep, keep.KeepRow),
    (keep.Heartbeat, keep.HeartbeatRow),
    (ledger.ProvisionRecord, provision.ProvisionRow),
    (listing.ListingPass, listing.ListingPassRow),
    (outbox.Sending, outbox.OutboxRow),
    (outbox.Delivered, outbox.OutboxRow),
    (page.Page, page.PageRow),
    (person.Person, person.PersonRow),
    (question.Question, question.QuestionRow),
    (said.Said, said.SaidRow),
    (ssh.SshKey, ssh.SshKeyRow),
    (switch.Switch, switch.SwitchRow),
    (verdict.CurrentVerdict, verdict.VerdictRow),
]


def names_of(value: type) -> list[str]:
    """The fields of a value: a frozen dataclass, or a named tuple where there are very many."""
    return [*value.__annotations__]


@pytest.mark.parametrize(("value", "row"), PAIRS, ids=lambda kind: kind.__name__)
def test_a_field_may_be_none_exactly_where_its_column_may_be_null(value: type, row: type[SQLModel]) -> None:
    hints, columns = get_type_hints(value), table_of(row).c

    may_be_none = {name: NoneType in get_args(hints[name]) for name in names_of(value)}

    assert may_be_none == {name: columns[name].nullable for name in may_be_none}


@pytest.mark.parametrize(("value", "row"), PAIRS, ids=lambda kind: kind.__name__)
def test_a_value_can_not_be_changed(value: type, row: type[SQLModel]) -> None:
    assert issubclass(value, tuple) or value.__dataclass_params__.frozen  # type: ignore[attr-defined]
