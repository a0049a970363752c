"""How the client ends: an exit code of the contract, and a sentence for whoever reads stderr."""

from collections.abc import Sequence

from pods.exit_codes import ExitCode


class Ending(Exception):
    """The client ends now, with this exit code.

    `matches` are what else could have been meant, one a line.
    """

    def __init__(self, code: ExitCode, sentence: str = "", matches: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.matches = tuple(matches)
