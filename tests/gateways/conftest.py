"""What the gateways' tests share: a clock that is moved by hand."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest


@dataclass
class HandClock:
    """Stands still until it is moved; to wait on it moves it there at once."""

    moment: datetime = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    rate: float = 1.0
    settings_seen: int = 0

    def now(self) -> datetime:
        return self.moment

    def seconds_until(self, moment: datetime) -> float:
        return max((moment - self.moment).total_seconds(), 0.0)

    async def sleep_until(self, moment: datetime) -> None:
        self.moment = max(self.moment, moment)

    def move(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()
