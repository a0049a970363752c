"""The service's own SSH key: made on first start, refused if others could read it."""

import os
import stat
from pathlib import Path

import asyncssh

_COMMENT = "podkeeper"


class ServiceKeyError(ValueError):
    """The key file is unusable; the sentence says what would be right."""


def load_or_make(path: Path) -> asyncssh.SSHKey:
    """The key in the file, an ed25519 key made there if there is none yet.

    Raises:
        ServiceKeyError: others can read it, it holds no private key or one behind a passphrase, or it
            cannot be read or written.
    """
    try:
        if not path.exists():
            _make(path)
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            raise ServiceKeyError(
                f"PODKEEPER_SSH_KEY: {path} can be read by others (mode {mode:03o}); run: chmod 600 {path}"
            )
        return asyncssh.import_private_key(path.read_bytes())
    except asyncssh.KeyImportError as why:
        raise ServiceKeyError(
            f"PODKEEPER_SSH_KEY: {path} holds no private SSH key without a passphrase"
        ) from why
    except OSError as why:
        raise ServiceKeyError(f"PODKEEPER_SSH_KEY: {path}: {why.strerror}") from why


def _make(path: Path) -> None:
    """Whole or not at all, and never over a key that another process has just made."""
    key = asyncssh.generate_private_key("ssh-ed25519", comment=_COMMENT)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.unlink(missing_ok=True)
    with open(part, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(key.export_private_key("openssh"))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(part, path)
    except FileExistsError:
        pass
    finally:
        part.unlink()
