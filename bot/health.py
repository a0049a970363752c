"""How the service is doing: ready or not, each part with `ok` or a sentence."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest

from bot.measured import measure
from bot.metrics import Metrics
from jobs.house import House
from storage.errors import DatabaseError
from storage.listing import last_listings

OK = "ok"
ANSWERS_WITHIN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Health:
    """Looks at the parts that it is given. `slack`: `ok`, or what is wrong with the connection."""

    house: House
    metrics: Metrics
    slack: Callable[[], str]

    async def parts(self) -> dict[str, str]:
        """`database`, `slack`, `runpod`, `listing`."""
        try:
            newest = await asyncio.wait_for(
                self.house.db.read(lambda session: last_listings(session, 1)), ANSWERS_WITHIN_SECONDS
            )
        except DatabaseError as error:
            database, listing = str(error), "The database has to be read first."
        except TimeoutError:
            database, listing = "It does not answer.", "The database has to be read first."
        else:
            database, listing = OK, _listing(newest[0].complete if newest else None)
        return {"database": database, "slack": self.slack(), "runpod": self._runpod(), "listing": listing}

    def _runpod(self) -> str:
        match self.metrics.last_provider_outcome:
            case "ok" | "NotFound" | "Refused" | "Cannot":
                return OK
            case None:
                return "It has not been asked anything yet."
            case outcome:
                return f"The last call failed ({outcome})."

    async def metrics_page(self) -> bytes:
        """The page for Prometheus."""
        house = self.house
        now, settle = house.clock.now(), house.policy.claim_settle
        known = CollectorRegistry()
        # Without a database the page still tells what this process knows, and /readyz says why.
        with suppress(DatabaseError):
            known.register(await house.db.read(lambda session: measure(session, now, settle)))
        return generate_latest(self.metrics.registry) + generate_latest(known)


def _listing(complete: bool | None) -> str:
    match complete:
        case True:
            return OK
        case False:
            return "The last listing is not complete, or none has agreed with it yet."
        case None:
            return "There is no listing yet."
