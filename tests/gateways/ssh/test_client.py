"""Looking at, logging in to and running something on a pod: what is known and what is not."""

import asyncio
import stat

import asyncssh
import pytest

from gateways.ssh.client import Ssh, probe
from gateways.ssh.results import (
    Banner,
    ConnectionFailed,
    HostKeyChanged,
    KeyRejected,
    LoggedIn,
    PortRefused,
    PortTimedOut,
    PortUnreachable,
    Ran,
)
from pods.snapshot import SshEndpoint


@pytest.fixture
async def saying():
    """Starts a server that says something and hangs up, or, for None, says nothing at all."""
    servers: list[asyncio.Server] = []
    done = asyncio.Event()

    async def start(words: bytes | None) -> SshEndpoint:
        async def answer(_reader, writer):
            if words is None:
                await done.wait()
            else:
                writer.write(words)
                await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        servers.append(server)
        return SshEndpoint("127.0.0.1", server.sockets[0].getsockname()[1])

    yield start
    done.set()
    for server in servers:
        server.close()
        await server.wait_closed()


async def run(ssh, server, script, **more) -> Ran:
    ran = await ssh.run(server.endpoint, script, pinned=None, seconds=more.pop("seconds", 10), **more)
    assert isinstance(ran, Ran)
    return ran


async def test_a_server_is_known_by_its_banner_without_a_login(server):
    seen = await probe(server.endpoint)

    assert isinstance(seen, Banner)
    assert seen.version.startswith("SSH-2.0-AsyncSSH")


async def test_lines_before_the_banner_are_passed_over(saying):
    assert await probe(await saying(b"Welcome\r\nSSH-2.0-OpenSSH_9.6\r\n")) == Banner("SSH-2.0-OpenSSH_9.6")


async def test_a_port_that_says_no_is_refused(unused_tcp_port):
    assert await probe(SshEndpoint("127.0.0.1", unused_tcp_port)) == PortRefused()


async def test_a_port_that_says_nothing_has_timed_out(saying):
    assert await probe(await saying(None), seconds=0.05) == PortTimedOut()


@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"x" * 200_000])
async def test_what_is_no_ssh_server_has_not_answered_as_one(saying, words):
    assert isinstance(await probe(await saying(words)), PortUnreachable)


async def test_a_host_that_has_no_address_is_unreachable():
    assert isinstance(await probe(SshEndpoint("no-such-host.invalid", 22)), PortUnreachable)


async def test_a_banner_cannot_carry_control_characters(saying):
    assert await probe(await saying(b"SSH-2.0-\x1b[31mevil\r\n")) == Banner("SSH-2.0-?[31mevil")


async def test_our_key_opens_the_pod_and_shows_its_host_key(ssh, server):
    opened = await ssh.login(server.endpoint, pinned=None)

    assert isinstance(opened, LoggedIn)
    assert opened.host_key == server.host_key.export_public_key().decode().strip()


async def test_a_pinned_host_key_is_accepted_again_whatever_its_comment(ssh, server):
    pinned = server.host_key.export_public_key().decode().strip() + " seen at first login"

    assert isinstance(await ssh.login(server.endpoint, pinned=pinned), LoggedIn)


async def test_another_host_key_than_the_pinned_one_is_told_and_not_logged_in_to(ssh, server):
    opened = await ssh.login(server.endpoint, pinned=None)
    assert isinstance(opened, LoggedIn)
    await server.restart_with_another_host_key()

    again = await ssh.login(server.endpoint, pinned=opened.host_key)
    ran = await ssh.run(server.endpoint, "touch ran", pinned=opened.host_key, seconds=5)

    seen = server.host_key.export_public_key().decode().strip()
    assert again == ran == HostKeyChanged(seen)
    assert not (server.home / "ran").exists()


async def test_a_key_that_is_not_accepted_is_told_apart_from_a_failed_connection(server):
    stranger = Ssh(asyncssh.generate_private_key("ssh-ed25519"))

    assert isinstance(await stranger.login(server.endpoint, pinned=None), KeyRejected)


async def test_a_login_to_a_closed_port_is_refused(ssh, unused_tcp_port):
    failed = await ssh.login(SshEndpoint("127.0.0.1", unused_tcp_port), pinned=None)

    assert isinstance(failed, ConnectionFailed)
    assert failed.refused


async def test_a_login_that_hangs_during_the_banner_times_out(key, saying):
    failed = await Ssh(key, connect_seconds=0.05).login(await saying(None), pinned=None)

    assert isinstance(failed, ConnectionFailed)
    assert failed.timed_out


@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
async def test_a_login_to_what_is_no_ssh_server_is_a_failed_connection(ssh, saying, words):
    failed = await ssh.login(await saying(words), pinned=None)

    assert isinstance(failed, ConnectionFailed)
    assert not failed.refused


async def test_a_script_runs_in_the_pods_home_and_tells_its_output_and_status(ssh, server):
    ran = await run(ssh, server, "echo out; echo err >&2; pwd; exit 3")

    assert (ran.exit_status, ran.stderr) == (3, "err\n")
    assert ran.stdout == f"out\n{server.home}\n"


async def test_a_script_that_reads_its_input_finds_its_end_at_once(ssh, server):
    ran = await run(ssh, server, "cat; echo done")

    assert (ran.exit_status, ran.stdout) == (0, "done\n")


async def test_a_script_killed_by_a_signal_has_128_and_its_number(ssh, server):
    assert (await run(ssh, server, "kill -KILL $$")).exit_status == 137
    assert (await run(ssh, server, "kill -TERM $$")).exit_status == 143


async def test_a_run_that_outlasts_its_time_has_an_unknown_status_and_what_it_said(ssh, server):
    ran = await run(ssh, server, "echo begun; exec sleep 30", seconds=0.5)

    assert ran.exit_status is None
    assert ran.stdout == "begun\n"


async def test_a_connection_that_breaks_has_an_unknown_status(ssh, server):
    server.hang_up = True

    assert (await run(ssh, server, "anything")).exit_status is None


async def test_a_flood_is_cut_and_says_so_and_the_script_still_ends(ssh, server):
    ran = await run(ssh, server, "head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2", most_output=1000)

    assert (ran.exit_status, ran.cut) == (0, True)
    assert ran.stdout == "x" * 1000
    assert ran.stderr == "end\n"


async def test_output_that_is_no_text_is_read_all_the_same(ssh, server):
    assert (await run(ssh, server, "printf '\\377ok'")).stdout == "�ok"


@pytest.mark.parametrize("path", ["podkeeper/a1b2c3d4/1/bootstrap.sh", "it's a file", "$(touch evil); x"])
async def test_an_uploaded_file_is_whole_and_only_its_owners(ssh, server, path):
    content = b"#!/bin/sh\n" + bytes(range(256)) * 500

    ran = await ssh.upload(server.endpoint, path, content, pinned=None)

    assert isinstance(ran, Ran)
    assert (ran.exit_status, ran.stderr) == (0, "")
    written = server.home / path
    assert written.read_bytes() == content
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert not (server.home / "evil").exists()
    assert [child.name for child in written.parent.iterdir()] == [written.name]


async def test_an_upload_that_has_no_room_to_land_leaves_no_part_under_its_name(ssh, server):
    (server.home / "taken").write_text("a file, not a folder")

    ran = await ssh.upload(server.endpoint, "taken/file", b"x", pinned=None)

    assert isinstance(ran, Ran)
    assert ran.exit_status not in (0, None)


async def test_nothing_of_the_users_own_ssh_set_up_takes_part(ssh, server, monkeypatch, tmp_path):
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "config").write_text("Host *\n  ProxyCommand /bin/false\n")
    (tmp_path / ".ssh" / "known_hosts").write_text(
        "@revoked * " + server.host_key.export_public_key().decode()
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "no-agent"))

    assert isinstance(await ssh.login(server.endpoint, pinned=None), LoggedIn)
