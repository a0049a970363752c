"""The demo's voice in the terminal: what is done, and what the simulated world shows of it."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from bot.stdout import tell

WIDTH = 96


@dataclass(frozen=True, slots=True)
class Telling:
    """Writes to standard output, at once."""

    def chapter(self, number: int, title: str) -> None:
        self._write(f"\n── {number}. {title} " + "─" * max(WIDTH - len(title) - 7, 3))

    def say(self, text: str) -> None:
        self._write(textwrap.fill(text, WIDTH))

    def does(self, who: str, what: str) -> None:
        self._write(f"\n  {who}: {what}")

    def shows(self, text: str, most: int = 24) -> None:
        """Something that a person sees, indented; long ones are cut."""
        lines = [line for line in text.splitlines() if line.strip()]
        self._lines(lines[:most])
        if len(lines) > most:
            self._write(f"    │ … and {len(lines) - most} lines more")

    def settings(self, rows: Iterable[tuple[str, str, str]]) -> None:
        for name, value, why in rows:
            self._write(f"    {name}={value}  ({why})")

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            for part in textwrap.wrap(line, WIDTH, replace_whitespace=False) or [""]:
                self._write(f"    │ {part}")

    @staticmethod
    def _write(text: str) -> None:
        tell(f"{text}\n")
