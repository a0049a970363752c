"""Places where a pod of ours did not come up, avoided for a while."""

from sqlmodel import Field, SQLModel

from storage.columns import Time


class BadPlaceRow(SQLModel, table=True):
    """A GPU type in a data centre, to be avoided until then."""

    __tablename__ = "bad_place"

    gpu: str = Field(primary_key=True)
    data_center: str = Field(primary_key=True)
    until: Time
    provision_id: str
