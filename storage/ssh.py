"""SSH: the host keys that pods showed first, and the public keys of people."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Field, Session, SQLModel, col, func, select

from storage.columns import MaybeTime, Time, Words
from storage.rows import change, insert_new, read


class SshHostKeyRow(SQLModel, table=True):
    """The host key of a pod, pinned at the first login."""

    __tablename__ = "ssh_host_key"

    pod_id: str = Field(primary_key=True)
    key: str
    at: Time


class SshKeyRow(SQLModel, table=True):
    """A person's public key; `n` is its number in that person's list and is not used again."""

    __tablename__ = "ssh_key"

    user_id: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    fingerprint: str
    key: str
    comment: Words
    added_at: Time
    removed_at: MaybeTime = None


@dataclass(frozen=True, slots=True)
class SshKey:
    """A public key in OpenSSH's one-line form, without its comment."""

    user_id: str
    n: int
    fingerprint: str
    key: str
    comment: str
    added_at: datetime


def pin_host_key(session: Session, pod_id: str, key: str, at: datetime) -> str:
    """Pin the key unless one is pinned. Returns the one that is."""
    insert_new(session, SshHostKeyRow, {"pod_id": pod_id, "key": key, "at": at})
    return session.exec(select(SshHostKeyRow.key).where(SshHostKeyRow.pod_id == pod_id)).one()


def host_key(session: Session, pod_id: str) -> str | None:
    return session.exec(select(SshHostKeyRow.key).where(SshHostKeyRow.pod_id == pod_id)).first()


def add_key(session: Session, user_id: str, key: str, fingerprint: str, comment: str, at: datetime) -> SshKey:
    """Add a key to a person's list. One that is on it already is returned as it is."""
    for known in keys_of(session, user_id):
        if known.fingerprint == fingerprint:
            return known
    numbers = select(func.coalesce(func.max(SshKeyRow.n), 0)).where(SshKeyRow.user_id == user_id)
    new = SshKey(user_id, session.exec(numbers).one() + 1, fingerprint, key, comment, at)
    session.add(SshKeyRow(**{name: getattr(new, name) for name in SshKey.__slots__}))
    session.flush()
    return new


def keys_of(session: Session, user_id: str) -> list[SshKey]:
    """A person's keys, in the order of their numbers."""
    present = (col(SshKeyRow.user_id) == user_id) & col(SshKeyRow.removed_at).is_(None)
    return read(session, SshKey, SshKeyRow, present, order_by=[col(SshKeyRow.n)])


def remove_key(session: Session, user_id: str, n: int, at: datetime) -> bool:
    """Take a key off the list. False if no key of that person has this number."""
    this = (col(SshKeyRow.user_id) == user_id) & (col(SshKeyRow.n) == n)
    return change(session, SshKeyRow, this, col(SshKeyRow.removed_at).is_(None), removed_at=at) == 1
