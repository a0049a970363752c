"""The last listings, and whether their witness can be believed."""

from sqlmodel import Field, SQLModel

from storage.columns import Json, MaybeTime, MaybeWords, Time


class ListingPassRow(SQLModel, table=True):
    """One listing. Only the last few are kept."""

    __tablename__ = "listing_pass"

    n: int = Field(primary_key=True)
    at: Time
    provider_at: MaybeTime = None
    whole: bool
    complete: bool
    pods: int
    sentence: MaybeWords = None


class WitnessRow(SQLModel, table=True):
    """What is remembered from listing to listing about the provider's word, by name."""

    __tablename__ = "witness"

    name: str = Field(primary_key=True)
    state: Json
    at: Time
