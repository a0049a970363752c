"""`podkeeper serve`: start, refuse with a sentence what cannot be right, run until a signal, end in peace."""

import asyncio
import gc
import signal
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Coroutine, Sequence

import structlog

from bot import log
from bot.agents.secrets import SecretFileError, read_master_key
from bot.app import house_of, shown
from bot.doctor.machine import missing_files
from bot.metrics import Metrics
from bot.service import Doors, listen, service
from bot.settings import Settings, SettingsError, read_settings
from bot.starting import NO_WAY_IN, NotReady, identity_of
from gateways.slack.protocol import Identity
from gateways.ssh.service_key import ServiceKeyError
from gateways.wall import ClockSettingError
from pods.exit_codes import ExitCode
from storage import migrations
from storage.database import Database
from storage.errors import DatabaseError
from storage.takeover import take_over

FAULTS = (SettingsError, SecretFileError, ServiceKeyError, ClockSettingError, DatabaseError, NotReady)
"""What keeps the service from starting; the message is for whoever started it."""

_log = structlog.get_logger(__name__)


def main(arguments: Sequence[str]) -> ExitCode:
    """Run the service. It takes no arguments; everything is in the settings."""
    parser = ArgumentParser("podkeeper serve", description=main.__doc__, allow_abbrev=False)
    parser.parse_args(arguments)
    try:
        settings = read_settings()
        log.set_up(settings.log)
        # What is loaded by now stays: no acknowledgement is to wait while it is searched for garbage.
        gc.freeze()
        asyncio.run(serve(settings))
    except FAULTS as fault:
        sys.stderr.write(f"podkeeper serve: {fault}\n")
        return ExitCode.FAILED
    return ExitCode.OK


async def serve(settings: Settings) -> None:
    """Until a signal comes. Raises one of FAULTS if it must not start like this."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    migrations.prepare(settings.database_url)
    database = Database(settings.database_url)
    try:
        database.lock_for_serve()
        database.run_now(take_over)
        await _run(settings, database, stopping)
    finally:
        database.close()


async def _run(settings: Settings, database: Database, stopping: asyncio.Event) -> None:
    metrics = Metrics()
    _transport_chosen(settings)
    _files_there(settings)
    async with house_of(settings, database, metrics.called) as house:
        identity = await _unless_stopped(identity_of(house), stopping)
        if identity is None:
            return
        doors = Doors(
            identity=identity,
            slack_api_url=settings.slack_api_url,
            app_token=shown(settings.slack_app_token),
            signing_secret=shown(settings.slack_signing_secret),
            listening=_listening(settings.http_host, settings.http_port),
            master_key=read_master_key(settings.secret_file),
        )
        async with service(house, doors, metrics) as running:
            transport = "socket mode" if doors.app_token else "http"
            _log.info("podkeeper serves", http=running.url, slack=transport)
            await stopping.wait()
            _log.info("podkeeper stops")


def _transport_chosen(settings: Settings) -> None:
    if not settings.slack_app_token and not settings.slack_signing_secret:
        raise SettingsError(NO_WAY_IN)


def _files_there(settings: Settings) -> None:
    """They are read when a launch needs them; one that is missing is better known before a pod is rented for
    it, but may still come."""
    for setting, file in missing_files(settings).items():
        _log.warning("no launch can go well without this file", setting=setting, file=str(file))


async def _unless_stopped(
    identity: Coroutine[None, None, Identity], stopping: asyncio.Event
) -> Identity | None:
    """The identity, or None if somebody wants the service to stop first."""
    looking, waiting = asyncio.ensure_future(identity), asyncio.ensure_future(stopping.wait())
    await asyncio.wait({looking, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if looking.done():
        return looking.result()
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    return None


def _listening(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise NotReady(
            f"PODKEEPER_HTTP_HOST, PODKEEPER_HTTP_PORT: nothing can listen on {host} port {port} "
            f"({error.strerror})"
        ) from error
