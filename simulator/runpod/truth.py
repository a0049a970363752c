"""What really happened: transitions with their actors, every API call, and the answer sheet for oracles."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Transition:
    """One thing that happened to a pod. `by` is `console:<person>`, `api:<key name>` or `provider`.

    `call` is the number of the API call that did it, if one did.
    """

    at: datetime
    what: str
    by: str
    call: int | None = None


@dataclass(frozen=True, kw_only=True)
class Call:
    """One API call as it was answered. `operation` is the GraphQL field or the REST action, if any."""

    number: int
    at: datetime
    method: str
    path: str
    status: int | None
    by: str
    operation: str | None = None
    pod_id: str | None = None


class Calls:
    """The log of every API call, oldest first. With `keeps_reads` off, GET calls are only counted."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._numbered = 0
        self.keeps_reads = True

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, call: Call) -> None:
        """Append one answered call."""
        self._numbered = call.number
        if self.keeps_reads or call.method != "GET":
            self._calls.append(call)

    def next_number(self) -> int:
        """The number that the next call gets."""
        return self._numbered + 1

    def matching(self, method: str, path: str) -> list[Call]:
        """The calls of that method whose path matches the regular expression."""
        return [call for call in self._calls if call.method == method and re.search(path, call.path)]

    def terminates(self) -> list[Call]:
        """Every call that asked to end a pod, by whatever door, whatever the answer was."""
        return [call for call in self._calls if call.operation == "terminate"]

    def clear(self) -> None:
        """Forget what was called so far; numbers go on."""
        self._calls.clear()


@dataclass(frozen=True, kw_only=True)
class Truth:
    """Everything true about one pod that ever was. Money in USD up to the moment of asking."""

    id: str
    name: str
    created_at: datetime
    created_by: str
    container_first_started_at: datetime | None
    transitions: tuple[Transition, ...]
    ended_at: datetime | None
    ended_by: str | None
    ended_call: int | None
    billed_usd: float
    moved_from: str | None
