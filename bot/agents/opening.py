"""Opens the agents' door in the house that the composition root has built."""

from pathlib import Path

from bot.agents.door import Audit, Door, Rules
from bot.agents.rates import Rates
from bot.agents.secrets import read_master_key
from bot.provision.catalogue import Catalogue
from bot.provision.terms import Terms
from jobs.house import House


def terms_of(house: House) -> Terms:
    """What orders are held against, through whichever door they come."""
    return Terms(house.defaults, house.ceilings, house.waits, house.answers.expires)


def door_of(house: House, secret_file: Path, audit: Audit) -> Door:
    """The door. Raises SecretFileError if the secret file cannot be used."""
    rules = Rules(
        keep_max=house.answers.keep_max,
        claim_settle=house.policy.claim_settle,
        approval_expires=house.answers.expires,
        terminate_wait=house.answers.terminate_wait,
        ends_per_day=house.policy.agent_ends_per_day,
        ops_channel=house.ops_channel,
    )
    return Door(
        database=house.db,
        clock=house.clock,
        master_key=read_master_key(secret_file),
        rates=Rates(house.agent_events_per_minute, house.clock.now),
        rules=rules,
        terms=terms_of(house),
        catalogue=Catalogue(house.runpod, house.clock),
        audit=audit,
        wake=house.wakes.wake,
    )
