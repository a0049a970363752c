"""The account's call quota: three fixed windows on the simulated clock, told in the IETF's headers."""

from datetime import datetime

from simulator.runpod.account import RateLimits

_SECONDS = {"minute": 60, "hour": 3600, "day": 86_400}


class Quota:
    """How many calls were made in the current minute, hour and day."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[int, int]] = {}

    def use(self, now: datetime, calls: int = 1) -> None:
        """Count calls, also those that other people's scripts make."""
        for window in _SECONDS:
            index, used = self._window(window, now)
            self._used[window] = (index, used + calls)

    def exceeded(self, limits: RateLimits, now: datetime) -> str | None:
        """The window that is used up, the longest first, or None."""
        quotas = limits.model_dump()
        full = (name for name in reversed(_SECONDS) if self._window(name, now)[1] >= quotas[name])
        return next(full, None)

    def resets_in(self, window: str, now: datetime) -> int:
        """Whole seconds until a window begins anew, at least 1."""
        length = _SECONDS[window]
        return max(1, int(length - now.timestamp() % length))

    def headers(self, limits: RateLimits, now: datetime) -> dict[str, str]:
        """`RateLimit` and `RateLimit-Policy`."""
        quotas = limits.model_dump()
        live = (
            f'"{name}";r={max(0, quotas[name] - self._window(name, now)[1])};t={self.resets_in(name, now)}'
            for name in _SECONDS
        )
        policy = (f'"{name}";q={quotas[name]};w={length}' for name, length in _SECONDS.items())
        return {"RateLimit": ", ".join(live), "RateLimit-Policy": ", ".join(policy)}

    def _window(self, name: str, now: datetime) -> tuple[int, int]:
        index = int(now.timestamp() // _SECONDS[name])
        before, used = self._used.get(name, (index, 0))
        return (index, used) if before == index else (index, 0)
