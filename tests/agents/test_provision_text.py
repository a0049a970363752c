"""What a provision's view says in words: whom it waits for, and how it ended."""

from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session

from pods.provision.outcomes import Outcome
from pods.provision.stages import Stage
from storage.ledger import provision_of, take, write
from tests.agents.house import ANN, House


async def ordered(house: House, gpu: str = "A40", count: str = "1") -> str:
    reply = await house.send("pod.provision", name="train", gpu=gpu, count=count)
    return str(reply.body["provision"])


async def text_of(house: House, key: str) -> object:
    return (await house.look(f"provisions/{key}")).body["text"]


async def test_an_order_that_waits_for_a_person_says_for_whom_and_why(house: House) -> None:
    key = await ordered(house, "H100 SXM", "8")

    text = str(await text_of(house, key))

    assert text.startswith(f"<@{ANN}> has to press Go on first: ")
    assert "$24.00" in text


async def test_a_provision_that_waits_after_a_long_gap_says_so(house: House) -> None:
    key, now = await ordered(house), house.clock.now()

    def asked(session: Session) -> None:
        taken = take(session, key, timedelta(minutes=1))
        assert taken is not None
        waiting = replace(provision_of(taken), stage=Stage.WAITING_SSH, asked_owner_at=now)
        write(session, taken, waiting, now, None, let_go=True)

    house.do(asked)

    assert "was away for over an hour" in str(await text_of(house, key))


async def test_a_provision_that_waits_for_nobody_says_nothing(house: House) -> None:
    assert await text_of(house, await ordered(house)) is None


async def test_a_provision_that_has_ended_says_how(house: House) -> None:
    key = await ordered(house)
    house.end(key, Outcome.PROVIDER_REFUSED)

    assert str(await text_of(house, key)).startswith("RunPod refuses `train`: ")
