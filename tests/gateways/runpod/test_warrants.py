"""The leave to end or stop one pod: from the executor alone, for one id, once."""

import ast
from pathlib import Path

import pytest

from gateways.runpod.errors import AnswerUnknown, NotFound
from gateways.runpod.spent import WarrantRefused
from pods.warrant import Act, Warrant, issue_warrant


def warrant(
    act: Act = Act.TERMINATE, *, pod_id: str = "p1", deed_id: str = "d1", fencing: int = 1
) -> Warrant:
    return issue_warrant(act, pod_id=pod_id, deed_id=deed_id, fencing=fencing)


async def test_a_warrant_is_good_for_one_act(runpod, provider, answer):
    provider.will_answer(answer(204))
    one = warrant()
    await runpod.terminate(one)

    for again in (one, warrant(), warrant(fencing=0)):
        with pytest.raises(WarrantRefused, match="used already"):
            await runpod.terminate(again)

    assert len(provider.asked) == 1


async def test_a_warrant_whose_act_failed_is_used_nevertheless(runpod, provider):
    provider.will_refuse(500, "boom")
    one = warrant()
    with pytest.raises(AnswerUnknown):
        await runpod.terminate(one)

    with pytest.raises(WarrantRefused):
        await runpod.terminate(one)


async def test_the_next_attempt_of_a_deed_takes_a_higher_fencing_number(runpod, provider, answer):
    provider.will_answer(answer(204))

    await runpod.terminate(warrant(fencing=1))
    await runpod.terminate(warrant(fencing=2))
    await runpod.terminate(warrant(deed_id="d2", fencing=1))

    assert len(provider.asked) == 3


@pytest.mark.parametrize(("act", "leave"), [("terminate", Act.STOP), ("stop", Act.TERMINATE)])
async def test_a_warrant_for_one_act_is_none_for_the_other(runpod, provider, act, leave):
    with pytest.raises(WarrantRefused, match="does not allow"):
        await getattr(runpod, act)(warrant(leave))

    assert provider.asked == []


@pytest.mark.parametrize("instead", ["p1", None, object()])
async def test_what_is_no_warrant_ends_nothing(runpod, provider, instead):
    with pytest.raises(WarrantRefused):
        await runpod.terminate(instead)

    assert provider.asked == []


async def test_a_warrant_for_an_id_that_leads_elsewhere_is_never_sent(runpod, provider):
    with pytest.raises(NotFound):
        await runpod.terminate(warrant(pod_id="../clusters/c1"))

    assert provider.asked == []


def test_a_warrant_cannot_be_made_by_hand():
    with pytest.raises(TypeError, match="issued by the executor"):
        Warrant(act=Act.TERMINATE, pod_id="p1", deed_id="d1", fencing=1, seal=object())


def test_only_the_executor_issues_warrants():
    root = Path(__file__).parents[3]
    naming = {
        str(path.relative_to(root))
        for room in ("bot", "jobs", "storage", "pods", "gateways", "simulator")
        for path in (root / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias | ast.FunctionDef)
        and "issue_warrant" in (getattr(node, key, "") for key in ("id", "attr", "name"))
    }

    assert {path for path in naming if not path.startswith("jobs/executor")} == {"pods/warrant.py"}
