"""Where the service is and who we are to it: three settings from the environment or a `.env` file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from bot.client.ending import Ending
from pods.exit_codes import ExitCode

NEEDED = ("PODKEEPER_URL", "PODKEEPER_AGENT", "PODKEEPER_AGENT_SECRET")


@dataclass(frozen=True)
class Address:
    """The service's address, and the agent that signs."""

    host: str
    port: int | None
    tls: bool
    path: str
    """What stands before `/agents`, without a slash at its end; mostly nothing."""
    agent: str
    secret: str = field(repr=False)

    def target(self, rest: str) -> str:
        """The request target of something of this agent's."""
        return f"{self.path}/agents/{quote(self.agent, safe='')}/{rest}"


def read_address(environment: Mapping[str, str] = os.environ, env_file: Path = Path(".env")) -> Address:
    """The address as set. Raises Ending(2), naming each setting that is missing or wrong."""
    given = {**_written_in(env_file), **{name: value for name, value in environment.items() if value}}
    missing = [name for name in NEEDED if name not in given]
    if missing:
        raise Ending(
            ExitCode.USAGE,
            f"{' and '.join(missing)} not set: the client needs the service's address, "
            "an agent's name and that agent's secret.",
        )
    written = given["PODKEEPER_URL"]
    try:
        url = urlsplit(written)
        host, port = url.hostname, url.port
    except ValueError:
        url, host, port = urlsplit(""), None, None
    if not host or url.scheme not in ("http", "https"):
        raise Ending(
            ExitCode.USAGE,
            f"PODKEEPER_URL ({written}) is no address; write it like https://podkeeper.example",
        )
    return Address(
        host,
        port,
        url.scheme == "https",
        url.path.rstrip("/"),
        given["PODKEEPER_AGENT"],
        given["PODKEEPER_AGENT_SECRET"],
    )


def _written_in(env_file: Path) -> dict[str, str]:
    if not env_file.is_file():
        return {}
    # Imported here because most agents have no such file, and every start would wait for it.
    from dotenv import dotenv_values

    return {name: value for name, value in dotenv_values(env_file).items() if value}
