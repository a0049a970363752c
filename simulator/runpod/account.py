"""The account: keys, money, limits, and the switches by which its API can be odd."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True)
class ApiKey:
    """A key to the account. `name` is how its calls are logged; `sees_pods` False is a lost scope."""

    name: str
    read_only: bool = False
    sees_pods: bool = True


class RateLimits(BaseModel):
    """Calls allowed per window of simulated time, per account."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    minute: int = 60
    hour: int = 3000
    day: int = 50_000


class Switches(BaseModel):
    """How the account's API is odd. Assign to a field; a wrong value is a `pydantic.ValidationError`."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    listing: Literal["ok", "empty", "null", "html"] = Field("ok", description="what GET /v2/pods answers")
    listing_drops: frozenset[str] = Field(frozenset(), description="pod ids left out of listings")
    null_runtime_data_centers: frozenset[str] = Field(
        frozenset(), description="pods there show runtime null; '*' is everywhere"
    )
    running_at_once: bool = Field(
        False, description="as recorded live: RUNNING with runtime null from the start"
    )
    exited_cost_kept: bool = Field(False, description="as recorded live: an exited pod keeps its price")
    slow_s: float = Field(0, ge=0, description="every answer takes so many real seconds")
    down: bool = Field(False, description="no call is answered at all: connections are cut")
    date_offset_s: float = Field(0, description="the Date header is off by so much")
    graphql: Literal["ok", "gone", "html", "myself_null"] = "ok"
    team_id: str | None = Field(None, description="calls without this X-Team-Id see no pods")
    team_scope: frozenset[Literal["rest", "graphql"]] = frozenset({"rest", "graphql"})
    spending_limit: float | None = Field(None, description="USD per hour over all running pods (RunPod: 80)")
    rate_limits: RateLimits | None = Field(RateLimits(), description="None: no limits and no headers")
    refuse_bare_user_agents: bool = Field(True, description="403 '1010' for no User-Agent or urllib's own")


@dataclass
class Account:
    """Who may call, which SSH keys are registered, what money is left (None: never ends)."""

    keys: dict[str, ApiKey] = field(default_factory=lambda: {"rpa_simulated": ApiKey("bot")})
    ssh_keys: tuple[str, ...] = ()
    switches: Switches = field(default_factory=Switches)
    user_id: str = "user_2simulated"

    def first_key(self) -> str:
        """The first API key's text."""
        return next(iter(self.keys))
