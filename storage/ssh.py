"""SSH: the host keys that pods showed first, and the public keys of people."""

from sqlmodel import Field, SQLModel

from storage.columns import MaybeTime, Time, Words


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
