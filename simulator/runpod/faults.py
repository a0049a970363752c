"""Single calls that go wrong: the next N that match a method and a path are answered as scripted."""

import re
from dataclasses import dataclass

from simulator.runpod.http import Request, Response, problem

_HTML = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What happens to a call. `applied`: the work is done all the same. `drop`: no answer comes.

    Without `status` and `drop` the true answer is given, only `delay_s` real seconds later.
    """

    method: str
    path: re.Pattern[str]
    status: int | None = None
    body: object = None
    html: bool = False
    applied: bool = False
    drop: bool = False
    delay_s: float = 0
    headers: tuple[tuple[str, str], ...] = ()

    def touches(self, request: Request) -> bool:
        """Whether this call is meant."""
        return self.method in ("*", request.method) and self.path.search(request.path) is not None

    def lets_work(self) -> bool:
        """Whether the call's work is done."""
        return self.applied or (self.status is None and not self.drop)

    def answer(self, true: Response | None) -> Response:
        """What goes back in place of the true answer."""
        if self.drop:
            return Response(status=0, cut=True, delay_s=self.delay_s)
        if self.status is None and true is not None:
            return Response(**{**vars(true), "delay_s": self.delay_s})
        status, headers = self.status or 500, dict(self.headers)
        if self.html:
            return Response(
                status=status, text=_HTML, content_type="text/html", headers=headers, delay_s=self.delay_s
            )
        if self.body is not None:
            return Response(status=status, body=self.body, headers=headers, delay_s=self.delay_s)
        made = problem(
            status, "internal server error" if status >= 500 else "request refused", headers=headers
        )
        return Response(**{**vars(made), "delay_s": self.delay_s})


class FaultScript:
    """The faults that wait for their calls, in the order in which they were added."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault, times: int = 1) -> None:
        """Let the next `times` matching calls go so."""
        self._waiting.extend([fault] * times)

    def take(self, request: Request) -> Fault | None:
        """The fault for this call, used up; None if it goes well."""
        for number, fault in enumerate(self._waiting):
            if fault.touches(request):
                return self._waiting.pop(number)
        return None

    def clear(self) -> None:
        """From now on all goes well."""
        self._waiting.clear()

    def __len__(self) -> int:
        return len(self._waiting)
