"""The account's balance, and when it will be empty."""

from datetime import datetime, timedelta


class Purse:
    """A balance that pods burn. A balance of None never ends. Money in USD, burning in USD per hour."""

    def __init__(self, at: datetime) -> None:
        self.balance: float | None = None
        self._at = at
        self._burning = 0.0

    def put(self, balance: float | None, at: datetime) -> None:
        """Say what is left now."""
        self.balance, self._at = balance, at

    def left(self, at: datetime) -> float | None:
        """What is left at a time, if nothing changes until then."""
        if self.balance is None:
            return None
        return self.balance - self._burning * (max(at - self._at, timedelta(0)) / timedelta(hours=1))

    def burn(self, at: datetime, change: float) -> None:
        """From a time on, so much more (or less) is burned."""
        self.balance, self._at = self.left(at), max(at, self._at)
        self._burning = max(self._burning + change, 0.0)

    def empty_at(self, until: datetime) -> datetime | None:
        """When it is empty, if that is not after `until` and something is being burned."""
        if self.balance is None or self._burning < 1e-9:
            return None
        empty = self._at + timedelta(hours=max(self.balance, 0.0) / self._burning)
        return empty if empty <= until else None

    def spent_up(self, at: datetime) -> None:
        """It is empty now."""
        self.balance, self._at = 0.0, at
