"""The checks that stay on this machine: the database, the SSH key, the secret file."""

from pathlib import Path

from bot.agents.secrets import SecretFileError, read_master_key
from bot.doctor.check import Check, Name, fail, ok
from gateways.ssh.service_key import ServiceKeyError, load_or_make
from storage import migrations
from storage.database import Database
from storage.errors import DatabaseError


def machine_checks(database_url: str, ssh_key: Path, secret_file: Path) -> list[Check]:
    """All of them. It blocks for as long as the database does."""
    return [database_check(database_url), ssh_key_check(ssh_key), secret_file_check(secret_file)]


def database_check(url: str) -> Check:
    """It can be opened and written, and is of this version; nothing is changed."""
    try:
        version = migrations.version_of(url)
        if version is None:
            return ok(Name.DATABASE, "there is none yet; `podkeeper serve` makes it")
        if version != migrations.HEAD:
            migrations.prepare(url)
        database = Database(url)
        try:
            database.run_now(lambda _session: None)
            return ok(Name.DATABASE, f"{database} is up to date and can be written")
        finally:
            database.close()
    except DatabaseError as error:
        return fail(Name.DATABASE, f"DATABASE_URL: {error}")


def ssh_key_check(path: Path) -> Check:
    """The service's own key, if it was made already."""
    if not path.exists():
        return _to_be_made(Name.SSH_KEY, "PODKEEPER_SSH_KEY", path)
    try:
        load_or_make(path)
    except ServiceKeyError as error:
        return fail(Name.SSH_KEY, str(error))
    return ok(Name.SSH_KEY, f"{path} holds the service's key")


def secret_file_check(path: Path) -> Check:
    """The file that agents' secrets are derived from, if it was made already."""
    if not path.exists():
        return _to_be_made(Name.SECRET_FILE, "PODKEEPER_SECRET_FILE", path)
    try:
        read_master_key(path)
    except SecretFileError as error:
        return fail(Name.SECRET_FILE, f"PODKEEPER_SECRET_FILE: {error}")
    return ok(Name.SECRET_FILE, f"{path} can be read by its owner alone")


def _to_be_made(name: Name, setting: str, path: Path) -> Check:
    if not path.parent.is_dir():
        return fail(name, f"{setting}: the folder {path.parent} does not exist")
    return ok(name, f"there is no {path} yet; the first start makes it")
