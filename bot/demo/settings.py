"""What the demo's bot is told. Whatever differs from a real installation is printed."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

START = time(13, 30)
"""In UTC: a working hour for the people of the tour, so that quiet hours hold back nothing."""

SHORTENED: Mapping[str, tuple[str, str]] = {
    "PODKEEPER_CLAIM_SETTLE": ("1m", "a claim gives the right to end after a minute, not a day"),
    "PODKEEPER_STALE_AUDIT_CRON": ("* * * * *", "the audit runs each minute, not once a day"),
    "PODKEEPER_UNDO": ("2m", "there is time to press Undo although the clock runs fast"),
    "PODKEEPER_PREFLIGHT_WAIT": ("30m", "real checks run in real time while the clock runs fast"),
}
"""Settings of the tour that differ from the defaults: value, and why."""


def clock_line(wall: float, speed: float) -> str:
    """The demo's clock: it starts on a working day and runs `speed` times as fast as the machine's."""
    day = datetime.fromtimestamp(wall, UTC).date()
    while day.weekday() >= 5:
        day += timedelta(days=1)
    start = datetime.combine(day, START, UTC)
    return f"{wall:.3f}:{start.timestamp():.3f}@{speed:g}"


def environment(
    inherited: Mapping[str, str],
    folder: Path,
    *,
    clock: str,
    slack: Mapping[str, str],
    runpod: Mapping[str, str],
    ops_channel: str,
    admin: str,
    repo: str,
) -> dict[str, str]:
    """The whole environment of the bot's process; nothing of this machine's own set-up leaks into it."""
    foreign = ("PODKEEPER_", "SLACK_", "RUNPOD_", "DATABASE_URL")
    clean = {name: value for name, value in inherited.items() if not name.startswith(foreign)}
    return clean | {
        **slack,
        **runpod,
        "DATABASE_URL": f"sqlite:///{folder / 'podkeeper.db'}",
        "PODKEEPER_SECRET_FILE": str(folder / "secret"),
        "PODKEEPER_SSH_KEY": str(folder / "ssh_key"),
        "PODKEEPER_HTTP_PORT": "0",
        "PODKEEPER_OPS_CHANNEL": ops_channel,
        "PODKEEPER_ADMINS": admin,
        "PODKEEPER_REPO": repo,
        "PODKEEPER_CLOCK": clock,
        "PODKEEPER_LOG": "json",
        **{name: value for name, (value, _) in SHORTENED.items()},
    }
