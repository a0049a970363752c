"""The judgement takes values and returns values: `now` is an argument, and nothing is fetched."""

import pytest

from tests.house.purity import impurities
from tests.house.sources import modules_of, source_of


def test_the_judgement_does_nothing_but_judge() -> None:
    found = {module: impurities(source_of(module)) for module in modules_of("pods")}

    assert found
    assert {module: said for module, said in found.items() if said} == {}


@pytest.mark.parametrize(
    "offender",
    [
        "import asyncio",
        "import os.path",
        "from time import monotonic",
        "from urllib import request",
        "from pathlib import Path",
        "import random, json",
        "import storage.ledger",
        "from sqlalchemy import select",
        "def f():\n    import socket",
        "from datetime import datetime\ndatetime.now(UTC)",
        "import datetime as dt\ndt.datetime.utcnow()",
        "from datetime import date\ndate.today()",
        "from datetime import datetime\nask = datetime.now",
        "clock.now()",
        "open('/etc/passwd')",
        "__import__('os')",
    ],
)
def test_reaching_outside_or_asking_the_time_is_noticed(offender: str) -> None:
    assert len(impurities(offender)) == 1


@pytest.mark.parametrize(
    "innocent",
    [
        "from datetime import UTC, datetime, timedelta",
        "from urllib.parse import urlsplit",
        "import collections.abc",
        "from pydantic import BaseModel",
        "from pods.phase import Phase",
        "from . import phase",
        "def judge(facts, now):\n    return facts.now < now",
        "class Clock(Protocol):\n    def now(self) -> datetime: ...",
    ],
)
def test_judging_is_not_mistaken_for_an_offence(innocent: str) -> None:
    assert impurities(innocent) == []
