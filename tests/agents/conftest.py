"""A house with one confirmed agent, on both databases."""

import pytest

from storage.database import Database
from tests.agents.house import House


@pytest.fixture
def house(database: Database) -> House:
    """The agent `scout` of ANN's is at the door."""
    made = House(database)
    made.add()
    return made
