"""The checks that stay on this machine: the database, the SSH key, the files."""

import os
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import URL

from bot.agents.secrets import SecretFileError, read_master_key
from bot.doctor.check import Check, Name, State, fail, ok
from bot.settings import Settings, environment_name
from gateways.ssh.service_key import ServiceKeyError, load_or_make
from storage import migrations
from storage.database import Database
from storage.engine import database_file, is_sqlite, parsed
from storage.errors import DatabaseError


def machine_checks(settings: Settings) -> list[Check]:
    """All of them. It blocks for as long as the database does."""
    return [
        database_check(settings.database_url),
        ssh_key_check(settings.ssh_key),
        files_check(settings.secret_file, missing_files(settings)),
    ]


def missing_files(settings: Settings) -> dict[str, Path]:
    """Files that a launch needs and that are not there, by the setting that names them."""
    named: dict[str, Path | None] = {
        environment_name(field): getattr(settings, field)
        for field in ("bootstrap_script", "preflight_script", "git_token_file")
    }
    return {setting: file for setting, file in named.items() if file is not None and not file.is_file()}


def database_check(url: str) -> Check:
    """It can be opened and written, and is of this version; nothing is changed."""
    try:
        version = migrations.version_of(url)
        if version is None:
            return _database_to_be_made(parsed(url))
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


def _database_to_be_made(address: URL) -> Check:
    if is_sqlite(address) and (fault := _no_room_for(database_file(address))):
        return fail(Name.DATABASE, f"DATABASE_URL: {fault}")
    return ok(Name.DATABASE, "there is none yet; `podkeeper serve` makes it")


def ssh_key_check(path: Path) -> Check:
    """The service's own key, if it was made already."""
    if not path.exists():
        return _to_be_made(Name.SSH_KEY, "PODKEEPER_SSH_KEY", path)
    try:
        load_or_make(path)
    except ServiceKeyError as error:
        return fail(Name.SSH_KEY, str(error))
    return ok(Name.SSH_KEY, f"{path} holds the service's key")


def files_check(path: Path, missing: Mapping[str, Path]) -> Check:
    """The file that agents' secrets are derived from, if it was made already; and that every file is there
    that a launch needs. `missing`: those that are not, by their setting."""
    found = _secret_file_check(path)
    absent = [
        f"{setting}: there is no file {file}, so no launch can go well" for setting, file in missing.items()
    ]
    if not absent:
        return found
    return fail(found.name, "; ".join([*([found.sentence] if found.state is State.FAIL else []), *absent]))


def _secret_file_check(path: Path) -> Check:
    if not path.exists():
        return _to_be_made(Name.SECRET_FILE, "PODKEEPER_SECRET_FILE", path)
    try:
        read_master_key(path)
    except SecretFileError as error:
        return fail(Name.SECRET_FILE, f"PODKEEPER_SECRET_FILE: {error}")
    return ok(Name.SECRET_FILE, f"{path} can be read by its owner alone")


def _to_be_made(name: Name, setting: str, path: Path) -> Check:
    if fault := _no_room_for(path):
        return fail(name, f"{setting}: {fault}")
    return ok(name, f"there is no {path} yet; the first start makes it")


def _no_room_for(path: Path) -> str | None:
    """Why no file can be made there, if so."""
    folder = path.absolute().parent
    if not folder.is_dir():
        return f"the folder {folder} does not exist"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"nothing can be written into the folder {folder}"
    return None
