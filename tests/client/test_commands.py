"""The client's commands against a scripted service: what they print, where, and the code they end with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli import run
from pods.exit_codes import ExitCode
from tests.client.scripted import Asked, Reply, Script, problem, serving

OK_LINES = ["PROVISION: id=k3 name=train", "BOOTSTRAP-OK pod=train", "SSH: ssh root@1.2.3.4 -p 22"]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def podkeeper(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `podkeeper WORDS` against a script; gives the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def against(script: Script, *words: str) -> tuple[int, str, str]:
        with serving(script) as service:
            for name, value in service.environment().items():
                monkeypatch.setenv(name, value)
            code = run(words)
        out, err = capsys.readouterr()
        return code, out, err

    return against


def provision(code: int | None, lines: list[str]) -> Reply:
    told = [{"at": "2026-11-30T12:00:00Z", "line": line} for line in lines]
    return Reply(200, {"id": "k3", "name": "train", "stage": "ready", "lines": told, "exit_code": code})


def always(reply: Reply) -> Script:
    return lambda _: reply


def noting(asked: list[Asked], script: Script) -> Script:
    """Answer as the script does, and keep what was asked."""

    def answer(each: Asked) -> Reply:
        asked.append(each)
        return script(each)

    return answer


def in_turn(*replies: Reply) -> Script:
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def by_target(posted: Reply, **looks: Reply) -> Script:
    """Events get one answer, looks theirs by the word after the agent's name."""

    def answer(asked: Asked) -> Reply:
        if asked.method == "POST":
            return posted
        return looks[asked.target.split("/")[3].split("?")[0]]

    return answer


def test_watch_prints_every_line_once_on_stdout_and_nothing_else_there(podkeeper: Run) -> None:
    script = in_turn(provision(None, OK_LINES[:1]), provision(None, OK_LINES[:2]), provision(0, OK_LINES))

    code, out, err = podkeeper(script, "watch", "k3")

    assert (code, out.splitlines(), err) == (0, OK_LINES, "")


@pytest.mark.parametrize("code", [0, 69, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86])
def test_watch_ends_with_the_provisions_own_code(podkeeper: Run, code: int) -> None:
    assert podkeeper(always(provision(code, [])), "watch", "k3")[0] == code


def test_a_code_that_the_contract_does_not_know_is_never_passed_on(podkeeper: Run) -> None:
    code, _, err = podkeeper(always(provision(3, [])), "watch", "k3")

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


ONE_POD = Reply(200, {"complete": True, "pods": [{"id": "p1", "name": "train", "verdict": "keep"}]})


@pytest.mark.parametrize("code", [0, 70, 76, 77])
def test_terminate_finds_the_pod_by_its_name_and_asks_for_its_end_by_its_id(
    podkeeper: Run, code: int
) -> None:
    request = Reply(200, {"state": "done", "exit_code": code, "text": "So it went.", "pod_id": "p1"})
    asked: list[Asked] = []
    answer = by_target(Reply(202, {}), audit=ONE_POD, requests=request)

    ended, out, _ = podkeeper(noting(asked, answer), "terminate", "train", "--json")

    assert ended == code
    assert json.loads(out)["text"] == "So it went."
    assert asked[0].target == "/agents/scout/audit?pod=train"
    assert asked[1].body is not None
    assert asked[1].body["data"] == {"pod_id": "p1"}


def test_terminate_of_a_name_that_fits_several_ends_none(podkeeper: Run) -> None:
    asked: list[Asked] = []
    several = problem(409, "ambiguous", matches=["p1 train", "p2 train"])

    code, _, err = podkeeper(noting(asked, always(several)), "terminate", "train")

    assert code == 2
    assert "p2 train" in err
    assert [each.method for each in asked] == ["GET"]


NO_ENTRY = {"complete": True, "pods": []}


@pytest.mark.parametrize(("named", "sent"), [({}, "train"), ({"pod": "p1"}, "p1")])
def test_terminate_of_a_pod_without_an_entry_is_left_to_the_service(
    podkeeper: Run, named: dict[str, str], sent: str
) -> None:
    gone = Reply(200, {"state": "done", "exit_code": 0, "text": "It is gone already."})
    asked: list[Asked] = []
    script = by_target(Reply(202, {}), audit=Reply(200, {**NO_ENTRY, **named}), requests=gone)

    code, _, err = podkeeper(noting(asked, script), "terminate", "train")

    assert (code, err) == (0, "It is gone already.\n")
    assert asked[1].body is not None
    assert asked[1].body["data"] == {"pod_id": sent}


@pytest.mark.parametrize(("complete", "code"), [(True, 0), (False, 21)])
def test_audit_of_a_pod_without_an_entry_says_so(podkeeper: Run, complete: bool, code: int) -> None:
    ended, out, err = podkeeper(always(Reply(200, {"complete": complete, "pods": []})), "audit", "train")

    assert (ended, out) == (code, "")
    assert err.startswith("The audit has no entry of train: ")


@pytest.mark.parametrize("words", [["audit"], ["audit", "p1"], ["terminate", "p1"]])
def test_an_answer_that_is_none_to_the_question_is_75(podkeeper: Run, words: list[str]) -> None:
    code, out, err = podkeeper(always(Reply(200, {"hello": "there"})), *words)

    assert (code, out) == (75, "")
    assert "makes no sense" in err


def test_a_lost_connection_tells_how_the_same_is_safely_asked_again(podkeeper: Run) -> None:
    away = problem(503, "provider_unreachable")

    code, _, err = podkeeper(by_target(away, audit=ONE_POD), "terminate", "p1", "--id", "m7")

    assert code == 75
    assert "--id m7" in err


def fleet(*verdicts: str, complete: bool = True) -> Script:
    pods = [{"id": f"p{n}", "name": "train", "verdict": verdict} for n, verdict in enumerate(verdicts)]
    return always(Reply(200, {"complete": complete, "pods": pods}))


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (fleet(), 0),
        (fleet("keep", "keep"), 0),
        (fleet("keep", "ask"), 20),
        (fleet("reap"), 20),
        (fleet("cannot_tell"), 20),
        (fleet("keep", complete=False), 21),
        (fleet("ask", complete=False), 21),
    ],
)
def test_audit_ends_with_20_for_findings_and_21_for_a_fleet_not_seen_whole(
    podkeeper: Run, script: Script, code: int
) -> None:
    assert podkeeper(script, "audit")[0] == code


def test_audit_shows_a_row_for_each_pod(podkeeper: Run) -> None:
    _, out, _ = podkeeper(fleet("keep", "ask"), "audit")

    assert [line.split()[0] for line in out.splitlines()] == ["verdict", "keep", "ask"]


def test_audit_of_one_pod_shows_its_evidence(podkeeper: Run) -> None:
    evidence = {"rule": "22", "observed": [{"phase": "exited", "n": 3}], "claims": []}
    pod = {"id": "p1", "name": "train", "verdict": "reap", "evidence": evidence, "usd_so_far": 12.3}

    _, out, _ = podkeeper(always(Reply(200, {"complete": True, "pods": [pod]})), "audit", "p1")

    assert "phase: exited" in out
    assert "usd_so_far: 12.30" in out
