"""Which warrants have been used: each is good for one act, once."""

from dataclasses import dataclass, field

from pods.warrant import Act, Warrant


class WarrantRefused(RuntimeError):
    """The warrant does not allow this, or was used already. Nothing was sent."""


@dataclass(slots=True)
class SpentWarrants:
    """The highest fencing number spent for each deed. A number never comes twice, nor a smaller one: so
    neither a copy of a warrant nor one of a holder who has lost his lease is of any use."""

    highest: dict[str, int] = field(default_factory=dict)

    def spend(self, warrant: Warrant, act: Act) -> None:
        """Takes the warrant for this act.

        Raises:
            WarrantRefused: it is for another act, or it or a later one of its deed was used.
        """
        if not isinstance(warrant, Warrant):
            raise WarrantRefused(f"to {act} a pod takes a warrant")
        if warrant.act is not act:
            raise WarrantRefused(f"{warrant!r} does not allow to {act}")
        if warrant.fencing <= self.highest.get(warrant.deed_id, -1):
            raise WarrantRefused(f"{warrant!r} was used already, or a later one was")
        self.highest[warrant.deed_id] = warrant.fencing
