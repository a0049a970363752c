"""Provisions by the client against a scripted service: what it prints, where, and the code it ends with."""

import json

import pytest

from pods.exit_codes import ExitCode
from tests.client.scripted import Asked, Reply, Run, always, by_target, in_turn, noting, problem

OK_LINES = ["PROVISION: id=k3 name=train", "BOOTSTRAP-OK pod=train", "SSH: ssh root@1.2.3.4 -p 22"]


def provision(code: int | None, lines: list[str]) -> Reply:
    told = [{"at": "2026-11-30T12:00:00Z", "line": line} for line in lines]
    return Reply(200, {"id": "k3", "name": "train", "stage": "ready", "lines": told, "exit_code": code})


def test_watch_prints_every_line_once_on_stdout_and_nothing_else_there(podkeeper: Run) -> None:
    script = in_turn(provision(None, OK_LINES[:1]), provision(None, OK_LINES[:2]), provision(0, OK_LINES))

    code, out, err = podkeeper(script, "watch", "k3")

    assert (code, out.splitlines(), err) == (0, OK_LINES, "")


def saying(text: str | None, code: int | None = None, lines: list[str] | None = None) -> Reply:
    reply = provision(code, lines or OK_LINES[:1])
    assert isinstance(reply.body, dict)
    return Reply(200, {**reply.body, "text": text})


GO_ON, LAPSED = "<@U1> has to press Go on first.", "Nobody pressed Go on in time."


def test_watch_says_once_who_has_to_press_go_on_and_then_how_it_ended(podkeeper: Run) -> None:
    script = in_turn(saying(GO_ON), saying(GO_ON), saying(GO_ON), saying(LAPSED, 76))

    assert podkeeper(script, "watch", "k3") == (76, OK_LINES[0] + "\n", f"{GO_ON}\n{LAPSED}\n")


def test_who_waits_for_a_person_again_is_told_again(podkeeper: Run) -> None:
    script = in_turn(saying(GO_ON), saying(None), saying(GO_ON), saying("It is ready.", 0, OK_LINES))

    code, out, err = podkeeper(script, "watch", "k3")

    assert (code, out.splitlines(), err) == (0, OK_LINES, f"{GO_ON}\n{GO_ON}\n")


def test_the_providers_own_reason_is_told_beside_the_line(podkeeper: Run) -> None:
    refused = ["PROVISION-REFUSED: reason=provider provision=k3"]
    why = "RunPod refuses `train`: `image not found`. Nothing was rented."

    assert podkeeper(always(saying(why, 69, refused)), "watch", "k3") == (69, f"{refused[0]}\n", f"{why}\n")


def test_with_json_what_is_said_keeps_off_stdout(podkeeper: Run) -> None:
    code, out, err = podkeeper(in_turn(saying(GO_ON), saying(LAPSED, 76)), "watch", "k3", "--json")

    assert (code, json.loads(out)["exit_code"]) == (76, 76)
    assert err.splitlines() == [OK_LINES[0], GO_ON, LAPSED]


@pytest.mark.parametrize("code", [0, 69, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86])
def test_watch_ends_with_the_provisions_own_code(podkeeper: Run, code: int) -> None:
    assert podkeeper(always(provision(code, [])), "watch", "k3")[0] == code


def test_a_code_that_the_contract_does_not_know_is_never_passed_on(podkeeper: Run) -> None:
    code, _, err = podkeeper(always(provision(3, [])), "watch", "k3")

    assert code == ExitCode.UNREACHABLE
    assert "makes no sense" in err


@pytest.mark.parametrize("words", [["watch", "k3"], ["cancel", "k3"]])
def test_an_answer_that_tells_nothing_is_not_waited_on(podkeeper: Run, words: list[str]) -> None:
    code, _, err = podkeeper(always(Reply(200, {"hello": "there"})), *words)

    assert code == ExitCode.UNREACHABLE
    assert "makes no sense" in err


def test_with_json_stdout_has_one_object_and_the_lines_are_on_stderr(podkeeper: Run) -> None:
    code, out, err = podkeeper(always(provision(78, OK_LINES)), "watch", "k3", "--json")

    assert code == 78
    assert json.loads(out)["exit_code"] == 78
    assert err.splitlines() == OK_LINES


def test_a_provision_that_nobody_ever_heard_of_is_wrong_usage_with_what_is_like_it(podkeeper: Run) -> None:
    code, out, err = podkeeper(
        always(problem(404, "not_found", matches=["k3 train", "k4 trains"])), "watch", "k"
    )

    assert (code, out) == (2, "")
    assert err.splitlines()[1:] == ["  k3 train", "  k4 trains"]


@pytest.mark.parametrize("code", [0, 85, 86])
def test_cancel_ends_as_the_service_says(podkeeper: Run, code: int) -> None:
    request = Reply(200, {"state": "done", "exit_code": code, "text": "Called off."})

    ended, out, err = podkeeper(by_target(Reply(202, {}), requests=request), "cancel", "k3")

    assert (ended, out, err) == (code, "", "Called off.\n")


ACCEPTED = Reply(202, {"id": "m7", "type": "pod.provision", "provision": "k3"})


def request(state: str) -> Reply:
    return Reply(200, {"state": state, "exit_code": None, "text": "<@U1> was asked."})


def test_provision_sends_every_option_by_its_own_name(podkeeper: Run) -> None:
    asked: list[Asked] = []
    script = noting(asked, by_target(ACCEPTED, provisions=provision(0, OK_LINES)))
    words = ["train", "--gpu", "H100,A100", "--for", "8h", "--env", "A=1", "--env", "B=2", "--overlay-venv"]

    code, out, _ = podkeeper(script, "provision", *words, "--count", "2", "--id", "m7")

    assert code == 0
    assert out.splitlines() == OK_LINES
    assert asked[0].webhook_id == "m7"
    assert asked[0].body is not None
    assert asked[0].body["data"] == {
        "name": "train",
        "gpu": ["H100,A100"],
        "for": "8h",
        "env": ["A=1", "B=2"],
        "overlay_venv": True,
        "count": "2",
    }


def test_provision_without_waiting_prints_its_first_line_only(podkeeper: Run) -> None:
    script = by_target(ACCEPTED, provisions=provision(None, OK_LINES[:1]), requests=request("working"))

    assert podkeeper(script, "provision", "train", "--no-wait") == (0, OK_LINES[0] + "\n", "")


def test_provision_without_waiting_ends_with_76_if_a_person_was_asked(podkeeper: Run) -> None:
    script = by_target(ACCEPTED, provisions=provision(None, []), requests=request("asked"))

    code, _, err = podkeeper(script, "provision", "train", "--no-wait")

    assert (code, err) == (76, "<@U1> was asked.\n")


@pytest.mark.parametrize(
    "words", [["train", "--gpuu", "x"], ["train", "--gpu"], ["a", "b"], ["a", "--for", "1h", "--for", "2h"]]
)
def test_a_wrong_order_is_wrong_usage_and_nothing_is_asked(podkeeper: Run, words: list[str]) -> None:
    asked: list[Asked] = []

    code, out, err = podkeeper(noting(asked, always(ACCEPTED)), "provision", *words)

    assert (code, out, asked) == (2, "", [])
    assert err.startswith("podkeeper provision: ")
