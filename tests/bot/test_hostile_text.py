"""Names and words from outside, however hostile, stand in messages as text."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.fleet.gpus import draw_gpus
from bot.fleet.lines import pod_lines
from bot.fleet.naming import Several, Unknown, the_pod
from bot.fleet.views import PodView
from bot.help.command import unknown
from bot.slack.answering import Declined
from bot.tables import VERBS
from bot.terminate.confirmation import Act, Confirmation, draw
from bot.terminate.rights import No, right_to_end
from bot.text import code, word
from pods.fingerprint import Fingerprint
from pods.gpus import GpuType
from pods.ids import UserId
from pods.keeps import Protection
from pods.ownership import Grade, Ownership
from pods.phase import Phase
from pods.snapshot import Mounts

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOSTILE = st.one_of(
    st.sampled_from(
        [
            "<!channel>",
            "<@U1>",
            "<!here|x>",
            "`code`",
            "*bold*",
            "a\nb",
            "&lt;!channel&gt;",
            "\u202eevil",
            "x" * 5000,
        ]
    ),
    st.text(min_size=1, max_size=300),
)
OURS = re.compile(r"<@U0OWNER>|<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^<>|]*>")
"""What may be alive in a message: the mentions and dates that we wrote."""


def is_inert(text: str) -> bool:
    rest = OURS.sub("", text)
    return "<" not in rest and ">" not in rest


def pod(name: str, owner: str | None = "U0OWNER", grade: Grade = Grade.PROVED) -> PodView:
    holder = UserId(owner) if owner else None
    return PodView(
        pod_id="abc123",
        name=name,
        runpod_name=name,
        whose=Ownership(grade, holder, True, holder, None, (holder,) if holder else (), True, None),
        phase=Phase.RUNNING,
        since=NOW - timedelta(hours=1),
        created_at=NOW - timedelta(hours=2),
        gpu=name,
        usd_per_hour=1.0,
        mounts=Mounts(persistent_gb=5),
        ssh=None,
        keeps=Protection(NOW + timedelta(days=1), False, None),
        fence_at=None,
        ending=None,
        locked=False,
        cluster_member=False,
        gone_at=None,
    )


@given(HOSTILE)
def test_a_word_from_outside_is_one_inert_line(text: str):
    shown = word(text)

    assert is_inert(shown)
    assert "\n" not in shown


@given(HOSTILE)
def test_code_cannot_be_left_from_within(text: str):
    assert code(text).count("`") == 2


@given(HOSTILE)
def test_a_pods_name_is_inert_in_lists(name: str):
    assert is_inert(pod_lines(pod(name), NOW))


@given(HOSTILE)
def test_a_pods_name_is_inert_in_a_confirmation(name: str):
    shown = Confirmation("1", "U0OWNER", Act.END, "abc123", Fingerprint("f"), None)

    assert is_inert(draw(shown, pod(name), NOW, as_admin=False, changed=True).text)


@given(HOSTILE, st.sampled_from(list(Grade)), st.sampled_from([None, "U0OWNER"]))
def test_a_pods_name_is_inert_in_a_refusal(name: str, grade: Grade, owner: str | None):
    match right_to_end(pod(name, owner, grade), "U0OTHER", is_admin=True, reason=None):
        case No(sentence):
            assert is_inert(sentence)


@given(HOSTILE)
def test_what_somebody_typed_is_inert_in_the_answer(typed: str):
    for found in (Unknown((typed,)), Several((pod(typed), pod(typed)))):
        with pytest.raises(Declined) as declined:
            the_pod(found, typed)
        assert is_inert(declined.value.sentence)


@given(HOSTILE)
def test_an_unknown_command_is_inert_in_the_answer(typed: str):
    assert is_inert(unknown(typed, VERBS).text)


@given(HOSTILE, HOSTILE)
def test_a_catalogue_of_hostile_names_is_inert(name: str, wanted: str):
    assert is_inert(draw_gpus([GpuType(name, name, 80, 1.0, None)], wanted).text)
