"""What people and programs see: lines on stdout as they happen, everything else on stderr."""

import json
import sys
from collections.abc import Iterable
from typing import TextIO

from bot.client.progress import Progress, Still
from bot.client.wire import Json


class Telling:
    """With `as_json`, stdout has one object at the end and the lines go to stderr."""

    def __init__(
        self, *, as_json: bool = False, stdout: TextIO | None = None, stderr: TextIO | None = None
    ) -> None:
        self.as_json = as_json
        self._stdout = stdout or sys.stdout
        self._stderr = stderr or sys.stderr
        self._said = ""
        self._progress = Progress(self._stderr) if self._stderr.isatty() else Still()

    def line(self, line: str) -> None:
        """One of the lines that machines read."""
        self._write(self._stderr if self.as_json else self._stdout, line)

    def say(self, sentence: str) -> None:
        """Something for people beside the lines; the same sentence only once in a row."""
        if sentence and sentence != self._said:
            self._write(self._stderr, sentence)
        self._said = sentence

    def matches(self, matches: Iterable[str]) -> None:
        """What else could have been meant."""
        for match in matches:
            self._write(self._stderr, f"  {match}")

    def under_way(self, provision: Json) -> None:
        """Show where a provision is, on a terminal."""
        self._progress.show(provision)

    def end(self, outcome: Json, text: str | None = None) -> None:
        """What was asked for: the object for a program, else the text for people, if there is one."""
        self._progress.hide()
        if self.as_json:
            self._write(self._stdout, json.dumps(outcome))
        elif text is not None:
            self._write(self._stdout, text)

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._progress.hide()

    def _write(self, stream: TextIO, text: str) -> None:
        self._progress.hide()
        stream.write(f"{text}\n")
        stream.flush()
