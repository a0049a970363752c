"""Every table of ours: importing this module fills `metadata`, which the migrations are compared with."""

from sqlmodel import SQLModel

from storage import (
    agent,
    claim,
    deed,
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
    ssh,
    switch,
    trail,
    verdict,
)

SUBJECTS = (
    agent,
    claim,
    deed,
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
    ssh,
    switch,
    trail,
    verdict,
)
metadata = SQLModel.metadata
