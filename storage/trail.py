"""The audit trail: append-only, each row carrying the hash of the one before."""

from sqlmodel import Field, SQLModel

from storage.columns import Time, Words


class TrailRow(SQLModel, table=True):
    """One event. `data` is canonical JSON, as it was hashed."""

    __tablename__ = "trail"

    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: Time
    actor: str
    kind: str
    subject: str = Field(index=True)
    data: Words
    prev_hash: str
    hash: str
