"""Every verdict is told in a sentence that a tired person understands."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given

from pods.explain import sentence
from pods.facts import PassFacts, PodFacts
from pods.ids import ProvisionId
from pods.judge import judge
from pods.ownership import Grade, Ownership
from pods.reasoning import Point, reasoning
from pods.rule_texts import RULE_TEXTS
from pods.verdict import Ask, CannotTell, Held, Keep, Reap, Reason, Verdict
from pods.words import PlainWords, span_in_words
from tests.pods.samples import ALICE, BOB, NOW, a_pass, ago, ahead, exited, never_ran, running
from tests.pods.situations import SITUATIONS
from tests.pods.strategies import PASSES, PODS

WORDS = PlainWords()
JARGON = re.compile(
    r"\b(grade|verdict|episode|fence|reap|stale|proved|conflict\w*|ledger|witness|null|none|deed|disarmed)\b",
    re.I,
)
OWNED = Ownership(Grade.PROVED, ALICE, True, ALICE, ProvisionId("ab12cd34"), (ALICE,), True, None)


def told(pod: PodFacts, pass_: PassFacts | None = None) -> str:
    pass_ = pass_ or a_pass()
    return sentence(pod, judge(pod, pass_), pass_, WORDS)


def points(pod: PodFacts, ownership: Ownership = OWNED, pass_: PassFacts | None = None) -> tuple[Point, ...]:
    pass_ = pass_ or a_pass()
    return reasoning(pod, ownership, judge(pod, pass_), pass_, WORDS)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_sentence_is_whole_and_free_of_our_own_words(situation: str) -> None:
    text = told(*SITUATIONS[situation])

    assert text[0].isupper()
    assert text.endswith(".")
    assert JARGON.search(text) is None


@given(PODS, PASSES)
def test_there_is_a_sentence_and_a_reasoning_for_every_pod(pod: PodFacts, pass_: PassFacts) -> None:
    text = told(pod, pass_)

    assert JARGON.search(text) is None
    assert points(pod, OWNED, pass_)[0] == Point("In short", text)


@pytest.mark.parametrize(
    ("pod", "pass_", "text"),
    [
        (running(), a_pass(), "It runs."),
        (
            exited(exited_since=ago(hours=1)),
            a_pass(),
            "It stopped 1 hour ago, which is not long ago.",
        ),
        (exited(), a_pass(), "It stopped 2 days ago or earlier; I end it now."),
        (
            exited(stale_notice_at=ago(hours=2)),
            a_pass(),
            "It stopped 2 days ago or earlier; it ends by itself at 2026-12-01 07:00 UTC.",
        ),
        (
            exited(),
            a_pass(armed_stale=False),
            "It stopped 2 days ago or earlier; I am not allowed to end such pods by myself, so I ask.",
        ),
        (
            exited(exited_since=ago(hours=1), first_seen_exited=True, provider_exited_at=ago(hours=30)),
            a_pass(),
            "RunPod says that it stopped 1 day 6 hours ago; somebody has to say what should happen to it.",
        ),
        (
            never_ran(kept_until=ahead(hours=1)),
            a_pass(paused=True),
            "It was rented 2 hours ago and nothing ever ran on it; it is kept, but there is no work on it to"
            " protect; everything is paused, so nothing happens to it now.",
        ),
        (
            never_ran(created_at=None),
            a_pass(),
            "Nothing runs on it, and RunPod does not say since when it is rented; until that is clear I leave"
            " it alone.",
        ),
    ],
)
def test_what_is_said(pod: PodFacts, pass_: PassFacts, text: str) -> None:
    assert told(pod, pass_) == text


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("judged", [Keep, Ask, CannotTell, partial(Reap, held=None)])
def test_whatever_is_said_is_one_sentence(judged: Callable[..., Verdict], reason: Reason) -> None:
    text = sentence(never_ran(), judged(reason, 13), a_pass(), WORDS)

    assert text.endswith(".")
    assert ". " not in text


def test_a_reap_over_a_limit_says_so() -> None:
    verdict = Reap(Reason.STALE, 22, Held.LIMIT)

    text = sentence(exited(), verdict, a_pass(), WORDS)

    assert text.endswith("; more pods would end at once than the limits allow, so I ask.")


@pytest.mark.parametrize(
    ("different", "because"),
    [
        ({"heartbeat_at": NOW}, "its agent, or what sets it up, is still at work; "),
        ({"keep_on_failure": True}, "it was ordered to be kept if it fails to start; "),
        ({"knowing_until": ago(hours=1)}, "the keep that was given knowing this is over; "),
        ({"keep_unreadable": True}, "it is kept; I cannot read how; "),
        ({"deed_in_episode": True}, "I have tried to end it once already; "),
    ],
)
def test_a_question_about_a_pod_that_never_ran_says_why_it_is_not_simply_ended(
    different: dict[str, object], because: str
) -> None:
    assert because in told(never_ran(**different))


def test_the_whole_reasoning_of_one_pod_can_be_read_and_checked() -> None:
    text = [f"{point.label}: {point.text}" for point in points(exited(stale_notice_at=ago(hours=2)))]

    assert text == [
        "In short: It stopped 2 days ago or earlier; it ends by itself at 2026-12-01 07:00 UTC.",
        "Now: It is stopped; only its storage costs money.",
        "Whose: Podkeeper made it for UALICE (provision ab12cd34).",
        "How sure we are: Certain: it is in our own record of what we made.",
        "Rented: 2026-11-26 05:00 UTC, says RunPod.",
        "Watched: since 2026-11-26 05:01 UTC, from its beginning and without a gap; 5000 looks that count.",
        "Ran: It has run.",
        "Stopped: seen to stop, at the latest, 2026-11-28 09:00 UTC.",
        "Decided by: line 22: stopped for long, by our own watch",
        "Could change: at 2026-12-01 07:00 UTC, even if nothing else happens.",
    ]


@pytest.mark.parametrize(
    ("ownership", "whose"),
    [
        (
            OWNED._replace(owner=BOB, claimants=(BOB,)),
            "Podkeeper made it for UALICE (provision ab12cd34). It is UBOB's now.",
        ),
        (
            Ownership(Grade.UNKNOWN, None, False, None, None, (), False, None),
            "Podkeeper did not make it. Nobody has said that it is theirs.",
        ),
        (
            Ownership(Grade.CLAIMED, BOB, False, None, None, (BOB,), False, ahead(hours=3)),
            "Podkeeper did not make it. UBOB says that it is theirs. They may end it from"
            " 2026-11-30 12:00 UTC on, if nobody objects.",
        ),
        (
            Ownership(Grade.CONFLICTING, None, False, None, None, (ALICE, BOB), False, None),
            "Podkeeper did not make it. It is called theirs by UALICE, UBOB.",
        ),
    ],
)
def test_the_reasoning_says_whose_it_is(ownership: Ownership, whose: str) -> None:
    assert Point("Whose", whose) in points(running(), ownership)


def test_the_reasoning_shows_a_keep_and_when_it_ends_by_itself() -> None:
    shown = points(running(kept_until=ahead(hours=2), fence_at=ahead(hours=1)))

    assert Point("Kept", "until 2026-11-30 11:00 UTC.") in shown
    assert Point("Ends by itself at", "2026-11-30 11:00 UTC, by Podkeeper.") in shown


def test_every_line_of_the_table_has_its_words() -> None:
    assert list(RULE_TEXTS) == list(range(1, 23))
    assert not any(JARGON.search(text) for text in RULE_TEXTS.values())


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "no time"),
        (0, "no time"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (61, "1 minute 1 second"),
        (3600, "1 hour"),
        (86_399, "23 hours 59 minutes"),
        (86_400, "1 day"),
        (90_061, "1 day 1 hour"),
        (172_800 + 59 * 60, "2 days"),
    ],
)
def test_a_stretch_of_time_in_words(seconds: int, text: str) -> None:
    assert span_in_words(NOW - ago(seconds=seconds)) == text
