import pytest

from pods.exit_codes import ExitCode
from pods.provision.diagram import END, section
from pods.provision.outcomes import ENDINGS, Outcome, PodFate
from pods.provision.stages import Stage
from pods.provision.table import TABLE, Event, target_of
from tests.house.sources import ROOT

# A dot: nothing changes. Else the next stage, or the outcome.
BY_HAND = """
                      wished           creating           waiting_runtime      waiting_ssh          bootstrapping        preflight            branch               ready failed          ended
ALLOWED               creating         .                  .                    .                    .                    .                    .                    .     .               .
OVER_LIMIT            .                over_limit         .                    .                    .                    .                    .                    .     .               .
NOT_ALLOWED           not_allowed      .                  .                    .                    .                    .                    .                    .     .               .
QUESTION_EXPIRED      question_expired question_expired   .                    .                    .                    .                    .                    .     .               .
POD_BOUND             .                waiting_runtime    .                    .                    .                    .                    .                    .     .               .
NO_CAPACITY           .                no_capacity        .                    .                    .                    .                    .                    .     .               .
BALANCE               .                balance            .                    .                    .                    .                    .                    .     .               .
SPENDING_LIMIT        .                spending_limit     .                    .                    .                    .                    .                    .     .               .
PROVIDER_REFUSED      .                provider           .                    .                    .                    .                    .                    .     .               .
ENDPOINT_SEEN         .                .                  waiting_ssh          .                    .                    .                    .                    .     .               .
LOGGED_IN             .                .                  .                    bootstrapping        .                    .                    .                    .     .               .
NEVER_REACHED         .                .                  failed               failed               .                    .                    .                    .     .               .
NEVER_REACHED_KEPT    .                .                  never_reached_kept   never_reached_kept   .                    .                    .                    .     .               .
NOT_LET_IN            .                .                  not_logged_in        not_logged_in        .                    .                    .                    .     .               .
BLIND                 .                .                  blind                blind                blind                blind                blind                .     blind           called_off_alive
BOOTSTRAP_DONE        .                .                  .                    .                    preflight            .                    .                    .     .               .
BOOTSTRAP_FAILED      .                .                  .                    .                    bootstrap_failed     .                    .                    .     .               .
PREFLIGHT_DONE        .                .                  .                    .                    .                    branch               .                    .     .               .
PROVED                .                .                  .                    .                    .                    .                    ready                .     .               .
PREFLIGHT_FAILED      .                .                  .                    .                    .                    .                    preflight_failed     .     .               .
WRONG_BRANCH          .                .                  .                    .                    .                    .                    wrong_branch         .     .               .
STOPPED               .                .                  stopped              stopped              stopped              stopped              stopped              .     .               .
TERMINATED_ELSEWHERE  .                .                  terminated_elsewhere terminated_elsewhere terminated_elsewhere terminated_elsewhere terminated_elsewhere .     .               .
TAKEN                 .                .                  taken                taken                taken                taken                taken                .     .               .
BALANCE_RAN_OUT       .                .                  balance_ran_out      balance_ran_out      balance_ran_out      balance_ran_out      balance_ran_out      .     .               .
FENCE_PASSED          .                .                  fence                fence                fence                fence                fence                .     .               .
CALLED_OFF            called_off       called_off         .                    .                    .                    .                    .                    .     .               .
CALLED_OFF_UNREACHED  .                .                  ended                ended                .                    .                    .                    .     .               .
CALLED_OFF_REACHED    .                .                  called_off_alive     called_off_alive     called_off_alive     called_off_alive     called_off_alive     .     .               .
POD_GONE              .                .                  .                    .                    .                    .                    .                    .     never_reached   called_off
POD_NOT_GONE          .                .                  .                    .                    .                    .                    .                    .     not_terminated  not_terminated
SIGN_OF_LIFE          .                .                  .                    .                    .                    .                    .                    .     not_logged_in   called_off_alive
RETRY_BOOTSTRAP       .                .                  .                    .                    .                    .                    .                    .     bootstrapping   .
RETRY_LOGIN           .                .                  .                    .                    .                    .                    .                    .     waiting_ssh     .
"""  # noqa: E501 - a table is read across
HEAD, *ROWS = BY_HAND.strip("\n").splitlines()
CELLS = [
    (Stage(stage), Event[row.split()[0]], cell)
    for row in ROWS
    for stage, cell in zip(HEAD.split(), row.split()[1:], strict=True)
]


def test_every_stage_meets_every_event_in_the_table_written_by_hand() -> None:
    assert {(stage, event) for stage, event, _ in CELLS} == {(s, e) for s in Stage for e in Event}


@pytest.mark.parametrize(("stage", "event", "cell"), CELLS, ids=lambda part: str(part))
def test_the_machine_does_what_the_table_written_by_hand_says(stage: Stage, event: Event, cell: str) -> None:
    target = target_of(stage, event)
    assert (target.value if target is not None else ".") == cell


def test_every_stage_has_a_row() -> None:
    assert set(TABLE) == set(Stage)


def test_every_outcome_has_an_ending_and_can_happen() -> None:
    reached = {target for events in TABLE.values() for target in events.values()}
    assert set(ENDINGS) == set(Outcome)
    assert {target for target in reached if isinstance(target, Outcome)} == set(Outcome)


CONTRACT = {
    ExitCode.OK: {Outcome.READY},
    ExitCode.PROVIDER_REFUSED: {
        Outcome.NO_CAPACITY,
        Outcome.BALANCE,
        Outcome.SPENDING_LIMIT,
        Outcome.PROVIDER_REFUSED,
    },
    ExitCode.ASKED: {Outcome.QUESTION_EXPIRED},
    ExitCode.REFUSED: {Outcome.OVER_LIMIT, Outcome.NOT_ALLOWED},
    ExitCode.PREFLIGHT_FAILED: {Outcome.PREFLIGHT_FAILED},
    ExitCode.WRONG_BRANCH: {Outcome.WRONG_BRANCH},
    ExitCode.BOOTSTRAP_FAILED: {Outcome.BOOTSTRAP_FAILED},
    ExitCode.NEVER_REACHED_ENDED: {Outcome.NEVER_REACHED},
    ExitCode.NEVER_REACHED_EXISTS: {Outcome.NEVER_REACHED_KEPT, Outcome.NOT_TERMINATED},
    ExitCode.NOT_LOGGED_IN: {Outcome.NOT_LOGGED_IN, Outcome.BLIND},
    ExitCode.ENDED_ELSEWHERE: {
        Outcome.STOPPED,
        Outcome.TERMINATED_ELSEWHERE,
        Outcome.TAKEN,
        Outcome.BALANCE_RAN_OUT,
        Outcome.FENCE,
    },
    ExitCode.CALLED_OFF: {Outcome.CALLED_OFF},
    ExitCode.CALLED_OFF_ALIVE: {Outcome.CALLED_OFF_ALIVE},
}


def test_every_outcome_has_the_exit_code_of_the_contract() -> None:
    codes = {ending.exit_code for ending in ENDINGS.values()}
    assert {code: {o for o in Outcome if ENDINGS[o].exit_code is code} for code in codes} == CONTRACT


def test_the_exit_codes_are_those_of_the_contract_and_no_others() -> None:
    assert [code.value for code in ExitCode] == [0, 1, 2, 20, 21, 69, 70, *range(75, 87), 130]


def test_a_pod_is_torn_down_by_two_outcomes_only() -> None:
    torn_down = {outcome for outcome, ending in ENDINGS.items() if ending.pod is PodFate.TORN_DOWN}
    assert torn_down == {Outcome.NEVER_REACHED, Outcome.CALLED_OFF}


def test_the_document_shows_the_machine_as_it_is() -> None:
    text = (ROOT / "docs" / "provision.md").read_text(encoding="utf-8")
    begin = text.index(section().splitlines()[0])
    shown = text[begin : text.index(END) + len(END)]
    assert shown == section(), "replace that part of docs/provision.md by pods.provision.diagram.section()"
