"""How long Slack waits for what. The defaults are Slack's own; tests shorten them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Settings:
    """Seconds on the wall clock, but for `response_url_life`, which follows the simulator's clock."""

    ack_within: float = 3.0
    redelivery_delays: tuple[float, ...] = (0.0, 60.0, 300.0)
    trigger_life: float = 3.0
    response_url_life: timedelta = timedelta(minutes=30)
    response_url_uses: int = 5
    quiet: float = 0.05
    posts_per_second: float | None = None
    histories_open: bool = True
    """Whether the app is one that may read what was said."""
