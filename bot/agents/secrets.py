"""Agents' secrets, derived from the secret file so that the database holds none.

An agent's secret is HMAC-SHA256 of the agent's name and generation under the file's key. Rotating raises the
generation; the one before stays valid for a day, so that a running agent can be given the new one in peace.
"""

import base64
import contextlib
import hashlib
import hmac
import os
import secrets
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

OLD_SECRET_VALID_FOR = timedelta(hours=24)
KEY_BYTES = 32


class SecretFileError(Exception):
    """The secret file cannot be used; the message says which and why."""


def read_master_key(path: Path) -> bytes:
    """The key in the secret file; the file is made, readable by its owner alone, if there is none.

    Two processes that start at once agree on one key. Raises SecretFileError.
    """
    try:
        if not path.exists():
            _make(path)
        if path.stat().st_mode & 0o077:
            raise SecretFileError(f"{path} can be read by others; make it yours alone: chmod 600 {path}")
        key = bytes.fromhex(path.read_text("ascii").strip())
    except OSError as error:
        raise SecretFileError(f"{path} cannot be used as the secret file: {error.strerror}") from error
    except ValueError as error:
        raise SecretFileError(
            f"{path} is no secret file of ours; it must hold 64 hexadecimal digits"
        ) from error
    if len(key) != KEY_BYTES:
        raise SecretFileError(f"{path} is no secret file of ours; it must hold 64 hexadecimal digits")
    return key


def _make(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # A link, not a rename: whoever comes second must not replace the key that the first already uses.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()


@lru_cache(maxsize=1000)
def agent_secret(master_key: bytes, agent: str, generation: int) -> str:
    """The secret of one generation of an agent, as Standard Webhooks writes it (`whsec_…`)."""
    info = f"podkeeper agent {agent} {generation}".encode()
    return "whsec_" + base64.b64encode(hmac.new(master_key, info, hashlib.sha256).digest()).decode()


def valid_secrets(
    master_key: bytes, agent: str, generation: int, rotated_at: datetime | None, now: datetime
) -> tuple[str, ...]:
    """The secrets that an agent may sign with now, the present one first."""
    current = agent_secret(master_key, agent, generation)
    if rotated_at is None or now - rotated_at >= OLD_SECRET_VALID_FOR:
        return (current,)
    return (current, agent_secret(master_key, agent, generation - 1))
