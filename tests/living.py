"""A life led by dice: the same happenings as in the stateful test, at the rates of a busy account."""

from random import Random

from storage.switches import ARMED_NEVER_RAN, ARMED_STALE, PAUSED
from tests.life import HOUR, Life

_AUDIT_EVERY = 36


async def begin(life: Life) -> None:
    """Both jobs armed, and the account believed."""
    await life.switch(ARMED_NEVER_RAN, on=True)
    await life.switch(ARMED_STALE, on=True)
    await life.poll()
    await life.poll()


async def live(life: Life, dice: Random, polls: int) -> None:
    """So many polls, and what happens between them; every end is checked against the truth."""
    for n in range(polls):
        await _something_happens(life, dice)
        await life.poll(audit=n % _AUDIT_EVERY == 0)
        life.check()


async def _something_happens(life: Life, dice: Random) -> None:
    account = life.fleet.account.switches
    living = sum(pod.ended_at is None for pod in life.fleet.ever())
    if dice.random() < 0.25 and living < 60:
        await life.rent_ours(
            stuck=dice.random() < 0.3,
            fence=dice.random() < 0.3,
            keep=dice.random() < 0.2,
            dies_after_s=dice.choice([None, None, 900.0]),
        )
    if dice.random() < 0.05 and living < 60:
        life.rent_somebodys(stuck=dice.random() < 0.5)
    if dice.random() < 0.2:
        life.act(dice.randrange(1000), dice.choice(["stop", "stop", "stop", "start", "terminate"]))
    if dice.random() < 0.05:
        await life.say_yes(dice.randrange(1000))
    if dice.random() < 0.01:
        life.restart()
    if dice.random() < 0.02:
        life.quirks.terminate_answers(dice.choice([500, 502]), ended=dice.random() < 0.5)
    if dice.random() < 0.01:
        await life.clock.jump(dice.choice([1, -1]) * HOUR / 2)
    if dice.random() < 0.003:
        await life.switch(PAUSED, on=True)
    elif dice.random() < 0.1:
        await life.switch(PAUSED, on=False)
    account.listing = dice.choice(["empty", "html"]) if dice.random() < 0.01 else "ok"
    account.null_runtime_data_centers = frozenset({"*"} if dice.random() < 0.01 else ())
    life.slack_up = dice.random() < 0.95
