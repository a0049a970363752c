"""What the environment (or a `.env` file) says. Read here, handed on as plain values.

An empty value counts as unset. A value that cannot be read names its setting and what would be right;
nothing falls back silently, because a mistyped limit must not become a generous default.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError
from pydantic import (
    AfterValidator,
    AliasGenerator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pods.durations import format_duration, parse_duration
from pods.option_values import read_repo

OUTSIDE_NAMES = {
    "slack_bot_token",
    "slack_app_token",
    "slack_signing_secret",
    "slack_api_url",
    "runpod_api_key",
    "runpod_team_id",
    "runpod_api_base_url",
    "database_url",
}
"""Settings whose names others gave; every other one carries our prefix."""

_PASSWORD_IN_ADDRESS = re.compile(r"(//[^/:@\s]*):[^@\s]*@")

LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def environment_name(field: str) -> str:
    """The name of a setting as people write it."""
    return field.upper() if field in OUTSIDE_NAMES else f"PODKEEPER_{field.upper()}"


def _duration(value: object) -> object:
    return parse_duration(value, zero_is_fine=True) if isinstance(value, str) else value


def _comma_separated(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _some_time(value: timedelta) -> timedelta:
    if not value:
        raise ValueError("must be longer than nothing; write it like 60s")
    return value


Duration = Annotated[timedelta, BeforeValidator(_duration)]
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated)]
Pause = Annotated[Duration, AfterValidator(_some_time)]
Count = Annotated[int, Field(ge=0)]
Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class SettingsError(Exception):
    """Settings that cannot be used; the message has one sentence a line, each naming its setting."""


def _of(value: str) -> timedelta:
    return parse_duration(value)


class Settings(BaseSettings):
    """Every setting of the contract, with its default."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        # No other name: IMAGE, LOG or CLOCK in somebody's environment are about something else.
        alias_generator=AliasGenerator(validation_alias=environment_name),
    )

    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_api_url: str = "https://slack.com/api/"
    runpod_api_key: SecretStr | None = None
    runpod_team_id: str | None = None
    runpod_api_base_url: str = "https://api.runpod.io"
    database_url: str = "sqlite:///podkeeper.db"
    secret_file: Path = Path("podkeeper.secret")
    ssh_key: Path = Path("podkeeper_ssh_key")
    http_host: str = "127.0.0.1"
    http_port: Annotated[int, Field(ge=0, le=65535)] = 8080
    ops_channel: str | None = None
    admins: Words = ()
    timezone: str = "UTC"
    quiet_hours: str = "21:00-08:00"
    observe_every: Pause = _of("60s")
    max_gap: Duration = _of("5m")
    stale_audit_cron: str = "37 9 * * *"
    digest_cron: str = "0 9 * * mon-fri"
    unowned_cron: str = "0 10 * * mon"
    stale_after: Duration = _of("24h")
    stale_notice: Duration = _of("24h")
    fence_notice: Duration = _of("30m")
    never_ran_grace: Duration = _of("20m")
    never_ran_hard_cap: Duration = _of("60m")
    never_ran_min_observations: Annotated[int, Field(ge=1)] = 5
    never_ran_reaps_kept: bool = True
    ssh_wait: Duration = _of("20m")
    bootstrap_wait: Duration = _of("50m")
    preflight_wait: Duration = _of("10m")
    terminate_wait: Duration = _of("2m")
    provision_poll: Pause = _of("2s")
    create_settle: Duration = _of("3m")
    heartbeat_ttl: Duration = _of("15m")
    agent_events_per_minute: Count = 600
    approval_expires: Duration = _of("7d")
    approval_execute_by: Duration = _of("1h")
    ask_again: Duration = _of("30d")
    undo: Duration = _of("10s")
    claim_settle: Duration = _of("24h")
    keep_max: Duration = _of("14d")
    for_max: Duration = _of("30d")
    max_reaps_per_pass: Count = 5
    max_reaps_per_owner: Count = 3
    max_reaps_per_day: Count = 10
    max_reaps_share: Annotated[float, Field(ge=0, le=1)] = 0.2
    max_reaps_share_floor: Count = 2
    never_ran_max_per_pass: Count = 10
    never_ran_max_per_day: Count = 30
    agent_ends_per_day: Count = 20
    min_listing_share: Annotated[float, Field(ge=0, le=1)] = 0.7
    max_usd_per_hour: Dollars | None = None
    max_usd_per_hour_per_owner: Dollars | None = None
    confirm_above_usd_per_hour: Dollars = 20
    image: str = "runpod/pytorch:1.0.7-cu1281-torch291-ubuntu2204"
    gpu: str | None = None
    disk_gb: Annotated[int, Field(ge=1)] = 50
    repo: str | None = None
    overlay_venv: bool = False
    git_token_file: Path | None = None
    bootstrap_script: Path | None = None
    preflight_script: Path | None = None
    preflight_imports: Words = ()
    account_keys: bool = True
    clock: str = "system"
    log: str | None = None
    url: str | None = None
    agent: str | None = None
    agent_secret: SecretStr | None = None

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError("is no IANA time zone; write one like Europe/Berlin") from error
        return value

    @field_validator("stale_audit_cron", "digest_cron", "unowned_cron")
    @classmethod
    def _cron_read(cls, value: str) -> str:
        try:
            CronSim(value, datetime(2026, 1, 1, tzinfo=UTC))
        except CronSimError as error:
            raise ValueError("is no schedule; write five cron fields like `37 9 * * *`") from error
        return value

    @field_validator("quiet_hours")
    @classmethod
    def _hours_read(cls, value: str) -> str:
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d", value):
            raise ValueError("is no span of hours; write it like 21:00-08:00")
        return value

    @field_validator("log")
    @classmethod
    def _log_known(cls, value: str | None) -> str | None:
        if value not in (None, "text", "json"):
            raise ValueError("is neither text nor json")
        return value

    @field_validator("repo")
    @classmethod
    def _repo_read(cls, value: str | None) -> str | None:
        return None if value is None else read_repo(value)

    @field_validator("preflight_imports")
    @classmethod
    def _modules_named(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            if not all(part.isidentifier() for part in name.split(".")):
                raise ValueError(f"`{name}` is no name of a Python module; write them like torch,numpy")
        return value

    @field_validator("slack_api_url", "runpod_api_base_url")
    @classmethod
    def _address_read(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("is no address; write it like https://host/")
        return value

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        problems = list(_contradictions(self))
        if problems:
            raise ValueError("\n".join(problems))
        return self

    @property
    def simulated(self) -> bool:
        """Whether both outside addresses are on this machine."""
        hosts = {urlsplit(self.slack_api_url).hostname, urlsplit(self.runpod_api_base_url).hostname}
        return hosts <= LOOPBACK


def _contradictions(settings: Settings) -> Iterable[str]:
    if settings.observe_every * 2 > settings.max_gap:
        yield (
            f"PODKEEPER_OBSERVE_EVERY ({format_duration(settings.observe_every)}) must be at most half of "
            f"PODKEEPER_MAX_GAP ({format_duration(settings.max_gap)})"
        )
    for field in ("ssh_wait", "never_ran_grace"):
        value: timedelta = getattr(settings, field)
        if value > settings.never_ran_hard_cap:
            yield (
                f"{environment_name(field)} ({format_duration(value)}) must not be longer than "
                f"PODKEEPER_NEVER_RAN_HARD_CAP ({format_duration(settings.never_ran_hard_cap)})"
            )
    if settings.clock != "system" and not settings.simulated:
        yield (
            "PODKEEPER_CLOCK may only be set where both SLACK_API_URL and RUNPOD_API_BASE_URL "
            "are on this machine"
        )


def read_settings(env_file: Path | None = Path(".env"), **given: object) -> Settings:
    """The settings of this process. `given`: by field name, what counts more than the environment.

    Raises SettingsError with one sentence for each setting that cannot be used.
    """
    named = {environment_name(field): value for field, value in given.items()}
    try:
        return Settings(_env_file=env_file, **named)  # type: ignore[arg-type]  # pydantic-settings' own argument
    except ValidationError as error:
        raise SettingsError("\n".join(_sentences(error))) from error


def _sentences(error: ValidationError) -> Iterable[str]:
    for problem in error.errors(include_url=False):
        text = problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:
            yield text
            continue
        name = environment_name(str(problem["loc"][0]).lower().removeprefix("podkeeper_"))
        yield f"{name}: {text}"


def printed(settings: Settings) -> Iterable[tuple[str, str]]:
    """Each setting's name and its value as people write it, secrets hidden."""
    for field in type(settings).model_fields:
        value = getattr(settings, field)
        yield environment_name(field), _as_written(value)


def _as_written(value: object) -> str:
    match value:
        case None | ():
            return "-"
        case SecretStr():
            return "(set, hidden)"
        case timedelta():
            return format_duration(value)
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(str(part) for part in value)
        case _:
            return _PASSWORD_IN_ADDRESS.sub(r"\1:***@", str(value))
