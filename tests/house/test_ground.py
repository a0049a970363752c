"""What the tests stand on: real databases, each test its own, and no way out of this machine."""

import os
import socket

import pytest
import sqlalchemy as sa
from pytest_socket import SocketConnectBlockedError

from tests.machine import missing


@pytest.mark.parametrize("turn", ["first", "second"])
def test_each_test_gets_an_empty_database_of_its_own(database_url: str, turn: str) -> None:
    engine = sa.create_engine(database_url, poolclass=sa.NullPool)
    before = sa.inspect(engine).get_table_names()

    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE mine (n INTEGER)"))

    assert (before, sa.inspect(engine).get_table_names()) == ([], ["mine"])


@pytest.mark.parametrize("turn", ["first", "second"])
def test_a_setting_that_a_test_makes_is_gone_in_the_next(turn: str) -> None:
    before = os.environ.get("RUNPOD_API_BASE_URL")

    os.environ["RUNPOD_API_BASE_URL"] = "http://127.0.0.1:1"

    assert before is None


def test_no_test_reaches_beyond_this_machine() -> None:
    address_for_documentation = ("192.0.2.1", 80)

    with pytest.warns(UserWarning, match="A test tried"), pytest.raises(SocketConnectBlockedError):
        socket.create_connection(address_for_documentation, timeout=0.1)


def test_what_a_newcomer_lacks_is_skipped_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REQUIRE_SHARED", raising=False)

    with pytest.raises(pytest.skip.Exception, match=r"no folder shared.*REQUIRE_SHARED=1"):
        missing("there is no folder shared", "REQUIRE_SHARED")


def test_what_ci_lacks_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_SHARED", "1")

    with pytest.raises(pytest.fail.Exception, match="REQUIRE_SHARED is set: there is no folder shared"):
        missing("there is no folder shared", "REQUIRE_SHARED")
