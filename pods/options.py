"""The options of an order, as data: one table for the command, the form, the command line and the API.

A value that is typed at any door passes through this table, so none can be lost on one of them.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum


class Kind(StrEnum):
    ONE = "one value"
    LIST = "one or several, with commas"
    REPEATED = "once for each"
    NUMBER = "a whole number"
    DURATION = "a duration"
    FLAG = "takes no value"


@dataclass(frozen=True, slots=True)
class Option:
    """One row. `name` is also the form's block id; `key` is the agents' name for it."""

    name: str
    kind: Kind
    help: str
    example: str
    value: str = ""
    """What stands for the value in help texts."""

    @property
    def key(self) -> str:
        return self.name.replace("-", "_")

    @property
    def typed(self) -> str:
        """The option as it is typed, with its example: `--for 8h`."""
        if self.name == NAME:
            return self.example
        return f"--{self.name}" if self.kind is Kind.FLAG else f"--{self.name} {self.example}"


NAME = "name"

OPTIONS: tuple[Option, ...] = (
    Option(NAME, Kind.ONE, "What the pod is called", "train-7b", "NAME"),
    Option("gpu", Kind.LIST, "GPU type, or several in the order in which to try", "H100,A100", "TYPE[,TYPE]"),
    Option("count", Kind.NUMBER, "How many GPUs, 1 to 8", "2", "N"),
    Option("image", Kind.ONE, "Container image", "runpod/pytorch:2.8.0", "IMAGE"),
    Option("template", Kind.ONE, "RunPod template instead of an image", "30zmvf89kd", "ID"),
    Option("repo", Kind.ONE, "Repository to clone", "https://github.com/team/code", "URL"),
    Option("branch", Kind.ONE, "Branch to check out; compared on the pod afterwards", "issue-1689", "BRANCH"),
    Option("task", Kind.ONE, "What it is for", "sweep-12", "TEXT"),
    Option("for", Kind.DURATION, "The pod ends by itself this long after its creation", "8h", "DURATION"),
    Option("disk", Kind.NUMBER, "Container disk in GB; wiped by a stop", "80", "GB"),
    Option("volume", Kind.NUMBER, "Volume disk in GB; survives a stop, not an end", "200", "GB"),
    Option(
        "network-volume", Kind.ONE, "Existing network volume to mount; survives everything", "vol_9x1", "ID"
    ),
    Option("dc", Kind.LIST, "Data centre, or several", "EU-RO-1", "DC[,DC]"),
    Option("cloud", Kind.ONE, "`secure` or `community`", "community", "CLOUD"),
    Option(
        "env",
        Kind.REPEATED,
        "Environment variable; everybody on the account can read it",
        "EPOCHS=3",
        "NAME=VALUE",
    ),
    Option("port", Kind.REPEATED, "Port to open beside SSH", "8888/http", "PORT/PROTOCOL"),
    Option("wait-capacity", Kind.DURATION, "How long to wait for a free machine", "2h", "DURATION"),
    Option("overlay-venv", Kind.FLAG, "Put the virtual environment on the container's own disk", "yes"),
    Option("keep-on-bootstrap-failure", Kind.FLAG, "Keep the pod even if nobody ever reached it", "yes"),
)

BY_NAME = {option.name: option for option in OPTIONS}
BY_KEY = {option.key: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with an order, which option it is about, and what would be right."""

    option: str
    sentence: str
    right: str

    def __str__(self) -> str:
        end = "" if self.sentence.endswith("?") else "."
        return f"{self.sentence}{end} For example: `{self.right}`"

    @property
    def field(self) -> str:
        """The path of the value in an agent's request."""
        return "data." + self.option.replace("-", "_")


def about(option: str, sentence: str) -> Complaint:
    """A complaint about one option, with its right example from the table."""
    return Complaint(option, sentence[:1].upper() + sentence[1:], BY_NAME[option].typed)


def near_option(word: str) -> str | None:
    """The option that somebody probably meant, as it is typed."""
    typed = word.lstrip("-").lower().replace("_", "-")
    near = get_close_matches(typed, [name for name in BY_NAME if name != NAME], n=1, cutoff=0.5)
    return f"--{near[0]}" if near else None
