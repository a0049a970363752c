"""Signatures: one that fits is enough, whatever is odd is nobody's."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from bot.agents.secrets import agent_secret
from bot.agents.signatures import UnauthenticatedError, verified_id

SECRET = agent_secret(bytes(32), "a", 1)
OTHER = agent_secret(bytes(32), "a", 2)
BODY = b'{"type": "note"}'
Headers = list[tuple[bytes, bytes]]


def signed(
    content: bytes = BODY, secret: str = SECRET, ago: timedelta = timedelta(0), webhook_id: str = "m1"
) -> Headers:
    at = datetime.now(UTC) - ago
    signature = Webhook(secret).sign(webhook_id, at, content.decode())
    return [
        (b"webhook-id", webhook_id.encode()),
        (b"webhook-timestamp", str(int(at.timestamp())).encode()),
        (b"webhook-signature", signature.encode()),
    ]


def replaced(headers: Headers, name: bytes, value: bytes) -> Headers:
    return [(key, value if key == name else old) for key, old in headers]


def refused(headers: Headers, content: bytes = BODY) -> None:
    with pytest.raises(UnauthenticatedError):
        verified_id([SECRET], headers, content)


def test_a_signed_request_gives_its_id() -> None:
    assert verified_id([SECRET], signed(), BODY) == "m1"


def test_any_of_the_valid_secrets_will_do() -> None:
    assert verified_id([OTHER, SECRET], signed(), BODY) == "m1"


def test_one_fitting_signature_among_several_will_do() -> None:
    _, _, (_, right) = signed()
    several = b"v1a,cHVibGlj v1," + base64.b64encode(bytes(32)) + b" " + right

    assert verified_id([SECRET], replaced(signed(), b"webhook-signature", several), BODY) == "m1"


def test_header_names_may_be_written_in_capitals() -> None:
    assert verified_id([SECRET], [(name.title(), value) for name, value in signed()], BODY) == "m1"


def test_another_secret_is_refused() -> None:
    refused(signed(secret=OTHER))


def test_another_body_is_refused() -> None:
    refused(signed(), BODY + b" ")


def test_another_id_is_refused() -> None:
    refused(replaced(signed(), b"webhook-id", b"m2"))


@pytest.mark.parametrize("minutes", [-4, 4])
def test_a_clock_four_minutes_off_is_let_through(minutes: int) -> None:
    assert verified_id([SECRET], signed(ago=timedelta(minutes=minutes)), BODY) == "m1"


@pytest.mark.parametrize("minutes", [-6, 6])
def test_a_stamp_six_minutes_off_is_refused(minutes: int) -> None:
    refused(signed(ago=timedelta(minutes=minutes)))


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_missing_header_is_refused(missing: int) -> None:
    headers = signed()
    del headers[missing]

    refused(headers)


@pytest.mark.parametrize("doubled", [0, 1, 2])
def test_a_doubled_header_is_refused_even_if_both_are_right(doubled: int) -> None:
    headers = signed()

    refused([*headers, headers[doubled]])


@pytest.mark.parametrize(
    "signature",
    [b"", b"v1", b"v1,", b"v1,%%%", b"v1,a,b", b"v2,abcd", b"v1,\xc3\xa9", b" ", b"v1,abc", "v1,é".encode()],
)
def test_a_malformed_signature_is_refused(signature: bytes) -> None:
    refused(replaced(signed(), b"webhook-signature", signature))


@pytest.mark.parametrize(
    "stamp", [b"", b"abc", b"nan", b"inf", b"1e400", b"-1", b"1.5", b"9" * 30, "\u0661".encode()]
)
def test_a_malformed_stamp_is_refused(stamp: bytes) -> None:
    refused(replaced(signed(), b"webhook-timestamp", stamp))


def test_a_stamp_with_a_fraction_is_refused_although_the_library_would_round_it() -> None:
    headers = signed()

    refused(replaced(headers, b"webhook-timestamp", headers[1][1] + b".9"))


@pytest.mark.parametrize("webhook_id", ["", "a b", "é", "x" * 201])
def test_an_id_that_is_no_plain_word_is_refused_even_if_signed(webhook_id: str) -> None:
    refused(signed(webhook_id=webhook_id))


@given(
    st.lists(
        st.tuples(st.sampled_from([b"webhook-id", b"webhook-timestamp", b"webhook-signature"]), st.binary())
    )
)
def test_no_headers_whatever_raise_anything_but_unauthenticated(headers: Headers) -> None:
    refused(headers)


@given(st.binary(max_size=80))
def test_no_signature_whatever_raises_anything_but_unauthenticated(signature: bytes) -> None:
    refused(replaced(signed(), b"webhook-signature", b"v1," + signature))
