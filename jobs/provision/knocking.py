"""One attempt to log in to a pod: what it met, and what is remembered of it."""

from sqlmodel import Session

from gateways.ssh.client import probe
from gateways.ssh.results import (
    Banner,
    ConnectionFailed,
    HostKeyChanged,
    KeyRejected,
    LoggedIn,
    Login,
    PortRefused,
)
from jobs.house import House
from pods.has_run import Sign
from pods.provision.seen import Probe
from pods.snapshot import SshEndpoint
from storage.history import saw_life
from storage.ssh import host_key, pin_host_key

_ANSWERED = frozenset({Probe.BANNER, Probe.REJECTED, Probe.HOST_KEY_CHANGED, Probe.LOGGED_IN})


async def knock(house: House, pod_id: str, endpoint: SshEndpoint) -> Probe:
    """Try to log in once. A server that answered is remembered for ever as a sign that the pod ran."""
    pinned = await house.db.read(lambda session: host_key(session, pod_id))
    login = await house.ssh.login(endpoint, pinned=pinned)
    met = await _met(login, endpoint)
    if met in _ANSWERED:
        key = login.host_key if isinstance(login, LoggedIn) else None
        await house.db.run(lambda session: _remember(session, house, pod_id, met, key))
    return met


async def _met(login: Login, endpoint: SshEndpoint) -> Probe:
    match login:
        case LoggedIn():
            return Probe.LOGGED_IN
        case KeyRejected():
            return Probe.REJECTED
        case HostKeyChanged():
            return Probe.HOST_KEY_CHANGED
        case ConnectionFailed(refused=True):
            return Probe.REFUSED
        case ConnectionFailed():
            return await _behind_the_port(endpoint)


async def _behind_the_port(endpoint: SshEndpoint) -> Probe:
    """Whether an SSH server names itself, although no login came about."""
    match await probe(endpoint):
        case Banner():
            return Probe.BANNER
        case PortRefused():
            return Probe.REFUSED
        case _:
            return Probe.TIMED_OUT


def _remember(session: Session, house: House, pod_id: str, met: Probe, key: str | None) -> None:
    at = house.clock.now()
    saw_life(session, pod_id, Sign.LOGIN if met is Probe.LOGGED_IN else Sign.BANNER, at)
    if key is not None:
        pin_host_key(session, pod_id, key, at)
