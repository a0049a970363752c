"""What somebody may have meant who named something that nobody ever heard of."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from sqlmodel import Session

from storage.ledger import records
from storage.pod import snapshots

SHOWN = 5


def near_pods(session: Session, text: str) -> tuple[str, ...]:
    """Pods whose id or name is like the text: `id name`."""
    called = {f"{pod_id} {seen.name}": (pod_id, seen.name) for pod_id, seen in snapshots(session).items()}
    return _near(text, called)


def near_provisions(session: Session, text: str, owner: str) -> tuple[str, ...]:
    """Provisions of this owner whose id or name is like the text: `id name stage`."""
    mine = records(session, owner=owner)
    return _near(text, {f"{each.id} {each.name} {each.stage}": (each.id, each.name) for each in mine})


def _near(text: str, called: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    words = {word.lower() for names in called.values() for word in names}
    typed = text.lower()
    close: Iterable[str] = get_close_matches(typed, sorted(words), n=SHOWN, cutoff=0.5)
    alike = {
        *close,
        *(word for word in words if typed and (word.startswith(typed) or typed.startswith(word))),
    }
    fitting = [shown for shown, names in called.items() if any(name.lower() in alike for name in names)]
    return tuple(fitting[:SHOWN])
