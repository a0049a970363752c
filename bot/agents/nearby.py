"""What an agent may have meant that named something that nobody ever heard of."""

from sqlmodel import Session

from bot.fleet.near import near_gone_pods, near_pods
from bot.help.near import near_things
from storage.ledger import records

SHOWN = 5


def pods_like(session: Session, text: str) -> list[str]:
    """Pods whose id or name is like the text, those that are there first: `id name`, `id name (gone)`."""
    there = near_pods(session, text, SHOWN)
    return [*map(str, there), *map(str, near_gone_pods(session, text, SHOWN - len(there)))]


def provisions_like(session: Session, text: str, owner: str) -> list[str]:
    """Provisions of this owner whose id or name is like the text: `id name stage`."""
    mine = records(session, owner=owner)
    called = {f"{each.id} {each.name} {each.stage}": (each.id, each.name) for each in mine}
    return [*near_things(text, called, SHOWN)]
