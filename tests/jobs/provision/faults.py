"""Ways in which a pass over a provision can be interrupted: at each call that leaves the reconciler."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from inspect import iscoroutinefunction

from jobs.house import House


class Killed(BaseException):
    """The process is gone: nothing that follows is done, not even what handles errors."""


async def nothing(_call: str) -> None:
    """Lets it pass."""


@dataclass
class Gate:
    """Stands before and behind every call. Either may raise, or do something else first."""

    before: Callable[[str], Awaitable[None]] = nothing
    after: Callable[[str], Awaitable[None]] = nothing


@dataclass
class Through:
    """A thing whose every call goes through the gate."""

    thing: object
    name: str
    gate: Gate

    def __getattr__(self, attribute: str) -> object:
        found = getattr(self.thing, attribute)
        if not iscoroutinefunction(found):
            return found

        async def called(*args: object, **named: object) -> object:
            call = f"{self.name}.{attribute}"
            await self.gate.before(call)
            answer = await getattr(self.thing, attribute)(*args, **named)
            await self.gate.after(call)
            return answer

        return called


def behind(gate: Gate, house: House) -> House:
    """The house with everything that a pass awaits behind the gate."""
    names = ("db", "runpod", "listing", "ssh", "slack")
    return replace(house, **{name: Through(getattr(house, name), name, gate) for name in names})  # type: ignore[arg-type]
