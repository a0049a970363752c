"""Which GPU type somebody means: exact id, exact name, else a word that fits exactly one type.

A GPU type that RunPod does not know is answered like a lack of machines, so a mistyped one must be
caught here, before the first call. Source: RunPod REST v2, `GET /v2/catalog/gpus`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum

from pods.order import Cloud


class Stock(StrEnum):
    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


_BEST_FIRST = (Stock.HIGH, Stock.MEDIUM, Stock.LOW, Stock.NONE)


@dataclass(frozen=True, slots=True)
class GpuType:
    """One entry of the catalogue. Prices are US dollars an hour for one GPU; `None` is unknown."""

    id: str
    name: str
    memory_gb: int | None
    secure_usd: float | None
    community_usd: float | None
    stock: Mapping[str, Stock] = field(default_factory=dict)
    """Data centre to stock; empty where nothing was said."""

    def usd(self, cloud: Cloud) -> float | None:
        return self.secure_usd if cloud is Cloud.SECURE else self.community_usd

    @property
    def data_centers(self) -> tuple[str, ...]:
        """Where this type is offered, best stock first."""
        return tuple(sorted(self.stock, key=lambda dc: (_BEST_FIRST.index(self.stock[dc]), dc)))


@dataclass(frozen=True, slots=True)
class OneType:
    gpu: GpuType


@dataclass(frozen=True, slots=True)
class SeveralTypes:
    """The word fits more than one type: they are shown with prices and nothing is ordered."""

    gpus: tuple[GpuType, ...]


@dataclass(frozen=True, slots=True)
class NoType:
    """The word fits none; these come nearest."""

    near: tuple[GpuType, ...]


Match = OneType | SeveralTypes | NoType


def match_gpu(word: str, catalogue: Sequence[GpuType]) -> Match:
    """The type that `word` means in this catalogue. Capitals make no difference."""
    typed = _plain(word)
    for exact in (
        [gpu for gpu in catalogue if _plain(gpu.id) == typed],
        [gpu for gpu in catalogue if _plain(gpu.name) == typed],
    ):
        if exact:
            return OneType(exact[0]) if len(exact) == 1 else SeveralTypes(tuple(exact))
    fitting = tuple(gpu for gpu in catalogue if typed and _fits(typed, gpu))
    match fitting:
        case ():
            return NoType(_near(typed, catalogue))
        case (one,):
            return OneType(one)
        case _:
            return SeveralTypes(tuple(sorted(fitting, key=lambda gpu: gpu.id)))


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split())


def _words(gpu: GpuType) -> frozenset[str]:
    return frozenset(_plain(gpu.id).split()) | frozenset(_plain(gpu.name).split())


def _fits(typed: str, gpu: GpuType) -> bool:
    """Every word typed is a word of the type; `rtx4090` is read as `rtx 4090`."""
    spaced = re.sub(r"(?<=[a-z]{2})(?=[0-9])", " ", typed)
    words = _words(gpu)
    return any(words.issuperset(reading.split()) for reading in (typed, spaced))


def _near(typed: str, catalogue: Sequence[GpuType]) -> tuple[GpuType, ...]:
    """The three types whose id, name or single words are most like what was typed."""
    scored = [(max(_likeness(typed, words) for words in _readings(gpu)), gpu) for gpu in catalogue]
    scored.sort(key=lambda pair: (-pair[0], pair[1].id))
    return tuple(gpu for score, gpu in scored[:3] if score >= 0.5)


def _readings(gpu: GpuType) -> frozenset[str]:
    return _words(gpu) | {_plain(gpu.id), _plain(gpu.name)}


def _likeness(typed: str, word: str) -> float:
    return SequenceMatcher(None, typed, word).ratio()


def describe(gpu: GpuType, cloud: Cloud) -> str:
    """One type in a list: `NVIDIA H100 PCIe (80 GB), $2.39 an hour each`."""
    memory = f" ({gpu.memory_gb} GB)" if gpu.memory_gb else ""
    usd = gpu.usd(cloud)
    price = f"${usd:.2f} an hour each" if usd else "price unknown"
    return f"{gpu.id}{memory}, {price}"
