"""`terminate` and `audit` against a scripted service: what they print, where, and the code they end with."""

import json

import pytest

from tests.client.scripted import Asked, Reply, Run, Script, always, by_target, noting, problem

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
