# ruff: noqa: RUF001 - phones type such characters
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pods.command_text import plain, words_of


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("a  b\tc\nd", ["a", "b", "c", "d"]),
        ("a\u00a0b\u2003c\u3000d", ["a", "b", "c", "d"]),
        ("a\u200bb\ufeff", ["ab"]),
        ("--task “two words” x", ["--task", "two words", "x"]),
        ("--task ‘two words’ x", ["--task", "two words", "x"]),
        ("--task „two words“", ["--task", "two words"]),
        ("a —force", ["a", "--force"]),
        ("a –gpu H100", ["a", "--gpu", "H100"]),
        ("a ––gpu H100", ["a", "--gpu", "H100"]),
        ("a —gpu=H100", ["a", "--gpu=H100"]),
        ("gpu‑7", ["gpu-7"]),
        ("it was —not that", ["it", "was", "--not", "that"]),
        ("slow — too slow", ["slow", "—", "too", "slow"]),
        ("--task “fix — gpu”", ["--task", "fix — gpu"]),
        ("don’t it's", ["don't", "it's"]),
        ("don't take bob's pod", ["don't", "take", "bob's", "pod"]),
        ("--task 'fix bob's bug'", ["--task", "fix bob's bug"]),
        (r"C:\new\table", [r"C:\new\table"]),
        ("--env A='x y'", ["--env", "A=x y"]),
        ("--branch ''", ["--branch", ""]),
        ("a # b", ["a", "#", "b"]),
        ("", []),
    ],
)
def test_what_phones_type_becomes_plain_words(typed: str, words: list[str]) -> None:
    assert words_of(typed) == words


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        ("<@U1|bob>", "@U1"),
        ("<@U1>", "@U1"),
        ("<#C1|general>", "#C1"),
        ("<!here>", "@here"),
        ("<!subteam^S1|@team>", "@S1"),
        ("<https://github.com/a/b>", "https://github.com/a/b"),
        ("<https://github.com/a/b|github.com/a/b>", "https://github.com/a/b"),
        ("<http://ghcr.io/a/b:1|ghcr.io/a/b:1>", "ghcr.io/a/b:1"),
        ("<mailto:git@host.com|git@host.com>:team/code.git", "git@host.com:team/code.git"),
        ("<mailto:a@b.c>", "a@b.c"),
        ("a &amp; b", "a & b"),
        ("&lt;@U2&gt;", "<@U2>"),
        ("&amp;lt;", "&lt;"),
        ("&amp;amp;", "&amp;"),
        ("x<y", "x<y"),
    ],
)
def test_wrapped_and_escaped_text_becomes_what_was_typed(sent: str, typed: str) -> None:
    assert plain(sent) == typed


def test_an_open_quotation_is_named() -> None:
    with pytest.raises(ValueError, match='a quotation is not closed: `"two words`'):
        words_of("a --task “two words")


def test_a_huge_text_gets_a_clear_answer() -> None:
    with pytest.raises(ValueError, match="that is 40,000 characters; a command may have 8,000"):
        words_of("x" * 40_000)


@given(st.text(max_size=200))
def test_any_text_is_words_or_one_sentence(text: str) -> None:
    try:
        answer = all(isinstance(word, str) for word in words_of(text))
    except ValueError as error:
        answer = "quotation" in str(error)
    assert answer
