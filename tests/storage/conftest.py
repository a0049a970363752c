"""The time at which the tests of the memory happen."""

from datetime import UTC, datetime

import pytest

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW
