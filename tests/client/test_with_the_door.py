"""The real client in a real process against the real door: what the one says, the other understands."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.agents.secrets import agent_secret
from pods.provision.outcomes import ENDINGS, Outcome
from storage.agent import remove_agent
from storage.database import Database
from storage.deed import DeedRow
from storage.provision import ProvisionRow
from storage.rows import change, table_of
from tests.agents.house import BOB, KEY, House, rows
from tests.agents.pods import pod
from tests.agents.serving import served

ROOT = Path(__file__).resolve().parents[2]
Client = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def engine_name() -> str:
    """The client does not know what the service stores in."""
    return "sqlite"


@pytest.fixture
def house(database: Database) -> House:
    made = House(database)
    made.add()
    return made


@pytest.fixture
def podkeeper(house: House, tmp_path: Path) -> Iterator[Client]:
    """Start `podkeeper WORDS` as the agent `scout`."""
    with served(house.app()) as url:
        agent = {
            "PODKEEPER_URL": url,
            "PODKEEPER_AGENT": "scout",
            "PODKEEPER_AGENT_SECRET": agent_secret(KEY, "scout", 1),
        }

        def start(*words: str) -> "subprocess.Popen[str]":
            return subprocess.Popen(
                [sys.executable, "-m", "bot", *words],
                env={**os.environ, **agent, "PYTHONPATH": str(ROOT)},
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

        yield start


def wished(house: House, running: "subprocess.Popen[str]") -> ProvisionRow:
    """The provision that the client asked for, as soon as it is there."""
    while not (found := rows(house, ProvisionRow)):
        assert running.poll() is None, running.communicate()
    return found[0]


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.READY][::4])
def test_provision_ends_with_the_code_of_its_outcome(
    podkeeper: Client, house: House, outcome: Outcome
) -> None:
    running = podkeeper("provision", "train", "--gpu", "A40")
    house.end(wished(house, running).id, outcome)

    out, _ = running.communicate(timeout=30)

    assert running.returncode == ENDINGS[outcome].exit_code
    assert out.splitlines()[0].startswith("PROVISION: id=")


def test_a_killed_asker_leaves_the_work_and_watch_from_elsewhere_takes_it_up(
    podkeeper: Client, house: House
) -> None:
    asker = podkeeper("provision", "train", "--gpu", "A40")
    provision = wished(house, asker)
    asker.kill()
    asker.communicate(timeout=30)
    house.end(provision.id, Outcome.READY)

    watcher = podkeeper("watch", provision.id)
    out, _ = watcher.communicate(timeout=30)

    assert watcher.returncode == 0
    assert out.splitlines()[0] == f"PROVISION: id={provision.id} name=train"


def test_sending_the_same_again_asks_for_one_pod(podkeeper: Client, house: House) -> None:
    words = ["provision", "train", "--gpu", "A40", "--no-wait", "--id", "m1"]

    outs = [podkeeper(*words).communicate(timeout=30)[0] for _ in range(2)]

    assert outs[0] == outs[1] != ""
    assert len(rows(house, ProvisionRow)) == 1


def test_a_dear_order_that_does_not_wait_ends_with_76(podkeeper: Client) -> None:
    asked = podkeeper("provision", "train", "--gpu", "H100 SXM", "--count", "8", "--no-wait")

    _, err = asked.communicate(timeout=30)

    assert asked.returncode == 76
    assert "Go on" in err


def test_an_ambiguous_gpu_is_wrong_usage_with_the_list(podkeeper: Client) -> None:
    asked = podkeeper("provision", "train", "--gpu", "H100")

    out, err = asked.communicate(timeout=30)

    assert (asked.returncode, out) == (2, "")
    assert "NVIDIA H100 SXM (80 GB), $3.00 an hour each" in err


def test_terminate_by_name_waits_until_the_deed_is_done(podkeeper: Client, house: House) -> None:
    house.launched("p1", name="train")
    running = podkeeper("terminate", "train", "--json")
    while not rows(house, DeedRow):
        assert running.poll() is None, running.communicate()
    this = table_of(DeedRow).c.pod_id == "p1"
    house.do(lambda session: change(session, DeedRow, this, state="done", outcome="gone"))

    out, _ = running.communicate(timeout=30)

    assert running.returncode == 0
    assert json.loads(out)["state"] == "done"


def test_terminate_of_somebody_elses_pod_ends_with_76(podkeeper: Client, house: House) -> None:
    house.launched("p1", owner=BOB, agent=None)

    asked = podkeeper("terminate", "p1")

    assert asked.communicate(timeout=30)[0] == ""
    assert asked.returncode == 76


def test_a_pod_that_nobody_ever_heard_of_is_wrong_usage_with_what_is_like_it(
    podkeeper: Client, house: House
) -> None:
    house.list_pods(pod("p12345"))

    asked = podkeeper("terminate", "p1234")

    assert "p12345" in asked.communicate(timeout=30)[1]
    assert asked.returncode == 2


def test_cancel_ends_as_the_provision_does(podkeeper: Client, house: House) -> None:
    podkeeper("provision", "train", "--gpu", "A40", "--no-wait").communicate(timeout=30)
    [provision] = rows(house, ProvisionRow)
    running = podkeeper("cancel", provision.id)
    while rows(house, ProvisionRow)[0].cancelled_at is None:
        assert running.poll() is None, running.communicate()
    house.end(provision.id, Outcome.CALLED_OFF)

    running.communicate(timeout=30)

    assert running.returncode == 85


def test_a_secret_that_is_not_good_any_more_ends_with_77(podkeeper: Client, house: House) -> None:
    house.do(lambda session: remove_agent(session, "scout", house.clock.now()))

    asked = podkeeper("audit")

    asked.communicate(timeout=30)
    assert asked.returncode == 77
