"""Where the service is and who we are to it: three settings from the environment or a `.env` file."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, quote, urlsplit

from bot.client.ending import Ending
from pods.exit_codes import ExitCode

NEEDED = ("PODKEEPER_URL", "PODKEEPER_AGENT", "PODKEEPER_AGENT_SECRET")
PLAIN = re.compile(r"[\x21-\x7e]+")
"""What can stand in a request without being written otherwise."""


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

    def __str__(self) -> str:
        """As PODKEEPER_URL says it."""
        port = "" if self.port is None else f":{self.port}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}{port}{self.path}"

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
    url = _taken_apart(written)
    if url is None:
        raise Ending(
            ExitCode.USAGE,
            f"PODKEEPER_URL ({written}) is no address; write it like https://podkeeper.example",
        )
    if not PLAIN.fullmatch(agent := given["PODKEEPER_AGENT"]):
        raise Ending(ExitCode.USAGE, f"PODKEEPER_AGENT ({agent!a}) is no agent's name.")
    return Address(
        url.hostname or "",
        url.port,
        url.scheme == "https",
        url.path.rstrip("/"),
        agent,
        given["PODKEEPER_AGENT_SECRET"],
    )


def _taken_apart(written: str) -> SplitResult | None:
    """The parts of an address that can be asked, or None."""
    try:
        url = urlsplit(written)
        host, _ = (url.hostname or "").encode("idna").decode(), url.port
    except ValueError:
        return None
    usable = url.scheme in ("http", "https") and PLAIN.fullmatch(host) and PLAIN.fullmatch(f"/{url.path}")
    return url if usable else None


def _written_in(env_file: Path) -> dict[str, str]:
    if not env_file.is_file():
        return {}
    # Imported here because most agents have no such file, and every start would wait for it.
    from dotenv import dotenv_values

    try:
        return {name: value for name, value in dotenv_values(env_file).items() if value}
    except (OSError, UnicodeDecodeError) as error:
        raise Ending(ExitCode.USAGE, f"The file {env_file} cannot be read: {error}.") from error
