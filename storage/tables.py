"""Every table of ours: importing this module fills `metadata`, which the migrations are compared with."""

from sqlmodel import SQLModel

from storage import (
    agent,
    agent_request,
    claim,
    deed,
    history,
    inbox,
    job,
    keep,
    listing,
    outbox,
    page,
    person,
    place,
    pod,
    provision,
    question,
    said,
    ssh,
    switch,
    trail,
    verdict,
)

SUBJECTS = (
    agent,
    agent_request,
    claim,
    deed,
    history,
    inbox,
    job,
    keep,
    listing,
    outbox,
    page,
    person,
    place,
    pod,
    provision,
    question,
    said,
    ssh,
    switch,
    trail,
    verdict,
)
metadata = SQLModel.metadata
