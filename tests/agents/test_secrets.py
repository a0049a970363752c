"""Agents' secrets: made from one file, never stored, the old one good for a day."""

import re
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.agents.secrets import SecretFileError, agent_secret, read_master_key, valid_secrets

KEY = bytes(range(32))
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_the_secret_file_is_made_on_first_use_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"

    key = read_master_key(file)

    assert len(key) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_secret_file_gives_the_same_key_every_time(tmp_path: Path) -> None:
    file = tmp_path / "secret"

    assert read_master_key(file) == read_master_key(file)


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    start = threading.Barrier(8)
    keys: list[bytes] = []

    def begin() -> None:
        start.wait()
        keys.append(read_master_key(file))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(keys) == 8
    assert set(keys) == {read_master_key(file)}
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("content", ["", "hello", "ab" * 31, "ab" * 33, "zz" * 32])
def test_a_file_that_holds_no_key_is_refused_by_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "secret"
    file.write_text(content)
    file.chmod(0o600)

    with pytest.raises(SecretFileError, match=re.escape(str(file))):
        read_master_key(file)


def test_a_secret_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    read_master_key(file)
    file.chmod(0o644)

    with pytest.raises(SecretFileError, match="chmod 600"):
        read_master_key(file)


def test_a_secret_file_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SecretFileError, match="No such file"):
        read_master_key(tmp_path / "nowhere" / "secret")


def test_each_agent_and_generation_has_its_own_secret() -> None:
    secrets = {
        agent_secret(KEY, agent, generation) for agent in ("a", "b", "a 1") for generation in (1, 2, 11)
    }

    assert len(secrets) == 9
    assert all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret) for secret in secrets)


def test_another_secret_file_gives_other_secrets() -> None:
    assert agent_secret(KEY, "a", 1) != agent_secret(KEY[::-1], "a", 1)


def test_an_agent_never_rotated_has_one_secret() -> None:
    assert valid_secrets(KEY, "a", 1, None, NOON) == (agent_secret(KEY, "a", 1),)


def test_the_old_secret_is_good_for_a_day_after_the_rotation_and_not_longer() -> None:
    old, new = agent_secret(KEY, "a", 1), agent_secret(KEY, "a", 2)
    day = timedelta(hours=24)

    assert valid_secrets(KEY, "a", 2, NOON, NOON + day - timedelta(seconds=1)) == (new, old)
    assert valid_secrets(KEY, "a", 2, NOON, NOON + day) == (new,)
