# ruff: noqa: RUF001 - phones type such characters
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pods.names import parse_name


@pytest.mark.parametrize("name", ["a", "7", "train-7b", "a.b_c-d", "x" * 48])
def test_a_right_name_stays_as_it_is(name: str) -> None:
    assert parse_name(name) == name


def test_capitals_are_lowered() -> None:
    assert parse_name("Train-7B") == "train-7b"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ('my"pod', "a quotation mark"),
        ("my’pod", "a quotation mark"),
        ("my\npod", "a line break"),
        ("my pod", "a space"),
        ("pod🚀", "the symbol 🚀"),
        ("pod\u200b", "an invisible character"),
        ("über", "`ü`"),
        ("my/pod", "`/`"),
        ("x" * 49, "49 characters"),
        ("x" * 300, "300 characters"),
        ("-pod", "begins with a sign"),
        ("pod.", "ends with a sign"),
    ],
)
def test_a_wrong_name_is_refused_saying_what_is_wrong(typed: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        parse_name(typed)
    assert "like `train-7b`" in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_a_name_by_the_grammar_or_refused(text: str) -> None:
    try:
        answer = re.fullmatch(r"[a-z0-9]([a-z0-9._-]{0,46}[a-z0-9])?", parse_name(text)) is not None
    except ValueError as error:
        answer = "a name has" in str(error)
    assert answer
