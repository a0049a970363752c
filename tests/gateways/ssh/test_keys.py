"""The service's own key, and the keys that people bring."""

import stat

import asyncssh
import pytest

from gateways.ssh.public_key import PrivateKeyShown, PublicKeyError, read_public_key
from gateways.ssh.service_key import ServiceKeyError, load_or_make


def public(kind: str = "ssh-ed25519", **more) -> str:
    return asyncssh.generate_private_key(kind, **more).export_public_key().decode().strip()


def test_a_key_is_made_on_first_start_and_found_again(tmp_path):
    path = tmp_path / "keys" / "ssh"

    made = load_or_make(path)

    assert made.get_algorithm() == "ssh-ed25519"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_or_make(path).get_fingerprint() == made.get_fingerprint()
    assert [child.name for child in path.parent.iterdir()] == ["ssh"]


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o620])
def test_a_key_that_others_can_read_is_refused_with_the_command_that_helps(tmp_path, mode):
    path = tmp_path / "ssh"
    load_or_make(path)
    path.chmod(mode)

    with pytest.raises(ServiceKeyError, match=f"chmod 600 {path}"):
        load_or_make(path)


def test_a_read_only_key_file_is_good(tmp_path):
    path = tmp_path / "ssh"
    load_or_make(path)
    path.chmod(0o400)

    load_or_make(path)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\x00"])
def test_a_file_that_holds_no_key_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "ssh"
    path.write_bytes(content)
    path.chmod(0o600)

    with pytest.raises(ServiceKeyError, match="no private SSH key"):
        load_or_make(path)

    assert path.read_bytes() == content


def test_a_key_behind_a_passphrase_is_refused(tmp_path):
    path = tmp_path / "ssh"
    key = asyncssh.generate_private_key("ssh-ed25519")
    path.write_bytes(key.export_private_key("pkcs8-pem", passphrase="secret"))
    path.chmod(0o600)

    with pytest.raises(ServiceKeyError, match="without a passphrase"):
        load_or_make(path)


def test_a_folder_in_the_keys_place_is_named(tmp_path):
    path = tmp_path / "ssh"
    path.mkdir(mode=0o700)

    with pytest.raises(ServiceKeyError, match="Is a directory"):
        load_or_make(path)


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"])
def test_a_persons_key_is_read_with_its_fingerprint(kind):
    typed = public(kind)

    key = read_public_key(f"  {typed} alice@laptop \n")

    assert key.line == f"{typed} alice@laptop"
    assert key.fingerprint == asyncssh.import_public_key(typed).get_fingerprint()
    assert key.fingerprint.startswith("SHA256:")
    assert (key.kind, key.comment) == (kind, "alice@laptop")


def test_a_comment_keeps_only_what_a_comment_needs():
    assert read_public_key(public() + ' <!channel> "x" $(rm)').comment == "_channel_x_rm_"


def test_an_rsa_key_that_is_too_short_says_how_long_it_should_be():
    with pytest.raises(PublicKeyError, match="only 1024 bits"):
        read_public_key(public("ssh-rsa", key_size=1024))


def test_a_private_key_is_refused_loudly_and_never_repeated():
    private = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()

    for shown in (private, private.replace("\n", " "), private.splitlines()[1]):
        with pytest.raises(PrivateKeyShown) as caught:
            read_public_key(shown)
        assert private.splitlines()[1] not in str(caught.value)
        assert "make a new one" in str(caught.value)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "hello",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-ed25519 not/base64!",
        "ssh-dss AAAAB3NzaC1kc3M=",
        "ssh-ed25519-cert-v01@openssh.com AAAA",
        "x" * 10_000,
        "ssh-ed25519 " + "A" * 9000,
    ],
)
def test_what_is_no_key_is_refused_with_a_right_one(typed):
    with pytest.raises(PublicKeyError) as caught:
        read_public_key(typed)
    assert len(str(caught.value)) < 200


def test_a_cut_off_key_is_refused():
    kind, base64 = public().split()[:2]

    with pytest.raises(PublicKeyError, match="damaged or cut off"):
        read_public_key(f"{kind} {base64[:-8]}")


def test_options_before_the_key_are_refused():
    with pytest.raises(PublicKeyError, match="does not begin like"):
        read_public_key(f'command="rm -rf /" {public()}')


def test_two_keys_at_once_are_refused():
    with pytest.raises(PublicKeyError, match="One key at a time"):
        read_public_key(f"{public()}\n{public()}")


def test_a_key_that_is_another_kind_than_it_says_is_refused():
    with pytest.raises(PublicKeyError):
        read_public_key("ssh-rsa " + public().split()[1])
