"""The digest's picture: drawn in a short process of its own, put into its thread at most once."""

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import structlog
from sqlmodel import Session

from gateways.slack.errors import SlackError
from jobs.digest.figures import Day, days
from jobs.digest.passing import head_name, today_in
from jobs.house import House
from jobs.ticker import Pass
from storage.job import win_slot
from storage.outbox import Delivered, message_called, place_of

JOB = "digest-picture"
DAYS = 14
DRAWN_WITHIN_SECONDS = 60.0
HERE = Path(__file__).resolve().parents[2]

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Picture:
    """Puts the picture below the digest, once that is in Slack. Without it the digest is still whole."""

    house: House

    async def run(self) -> Pass:
        """Draw and upload it, if that is to be done. Whoever wins the day's slot does it, once."""
        house, today = self.house, today_in(self.house)
        place = await house.db.read(lambda session: _place(session, today))
        if place is None or place.channel is None or place.ts is None:
            return Pass()
        now = house.clock.now()
        slot = datetime.combine(today, time(), UTC)
        if not await house.db.run(lambda session: win_slot(session, JOB, slot, now)):
            return Pass()
        shown = await house.db.read(lambda session: last_days(session, house, today))
        try:
            png = await drawn(shown)
            comment = "What each of the last days has cost."
            await house.slack.upload(
                place.channel, f"cost-{today}.png", png, comment=comment, thread_ts=place.ts, alt=told(shown)
            )
        except (SlackError, OSError, TimeoutError, DrawingError) as error:
            _log.warning("the digest goes without a picture", why=str(error))
        return Pass()


class DrawingError(Exception):
    """The child did not draw."""


def last_days(session: Session, house: House, today: date) -> list[Day]:
    """The days that are shown, the oldest first."""
    wanted = [today - timedelta(days=back) for back in range(DAYS, 0, -1)]
    return days(session, wanted, house.schedules.zone, house.clock.now(), house.policy.claim_settle)


def told(shown: Sequence[Day]) -> str:
    """What the picture shows, for who cannot see it."""
    if not shown:
        return "No days are known."
    dearest = max(shown, key=lambda one: one.usd)
    return (
        f"Bars: dollars a day from {shown[0].day} to {shown[-1].day}. The dearest was {dearest.day} with "
        f"${dearest.usd:,.2f}; the last ${shown[-1].usd:,.2f}, ${shown[-1].idle:,.2f} of it for pods that "
        "never ran or sat stopped."
    )


async def drawn(shown: Sequence[Day]) -> bytes:
    """A PNG. Raises DrawingError, OSError or TimeoutError."""
    figures = {
        "days": [one.day.strftime("%a %d") for one in shown],
        "usd": [round(one.usd, 2) for one in shown],
        "idle": [round(one.idle, 2) for one in shown],
    }
    with tempfile.TemporaryDirectory(prefix="podkeeper-") as folder:
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "jobs.digest.draw",
            cwd=HERE,
            env={"MPLCONFIGDIR": folder, "PATH": "", "PYTHONPATH": str(HERE)},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(DRAWN_WITHIN_SECONDS):
                png, said = await child.communicate(json.dumps(figures).encode())
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
    if child.returncode != 0 or not png:
        raise DrawingError(said.decode(errors="replace")[-500:] or f"status {child.returncode}")
    return png


def _place(session: Session, today: date) -> Delivered | None:
    message = message_called(session, head_name(today))
    return place_of(session, message) if message else None
