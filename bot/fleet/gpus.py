"""`/pod gpus [WORD]`: GPU types with price and stock."""

from collections.abc import Sequence

from bot.slack.answering import Declined, answer
from bot.table import Typed
from bot.text import Shown, code, money, sections, word
from gateways.runpod.errors import RunPodError
from jobs.catalogue import Catalogue
from jobs.house import House
from pods.gpus import GpuType, NoType, match_gpu


async def run_gpus(house: House, typed: Typed) -> None:
    """What can be rented, all of it or what fits the word."""
    try:
        types = await Catalogue(house).types()
    except RunPodError as error:
        raise Declined(f"RunPod's list of GPU types cannot be read: {error.sentence}.") from error
    shown = draw_gpus(types, " ".join(typed.words))
    await answer(house, typed, shown.text, shown.blocks)


def draw_gpus(types: Sequence[GpuType], wanted: str) -> Shown:
    """The list, the cheapest first. With a word: what contains it, else what comes near."""
    lowered = wanted.lower()
    fitting = [gpu for gpu in types if lowered in gpu.id.lower() or lowered in gpu.name.lower()]
    if fitting:
        head = f"GPU types with {code(wanted)}" if wanted else "GPU types"
        lines = [gpu_line(gpu) for gpu in sorted(fitting, key=_price)]
        return sections([f"*{head}*, the cheapest first; prices are for one GPU and an hour:", *lines])
    match match_gpu(wanted, types):
        case NoType(near) if near:
            lines = [gpu_line(gpu) for gpu in near]
            return sections([f"There is no GPU type with {code(wanted)}. Near to it:", *lines])
        case _:
            return sections([f"There is no GPU type with {code(wanted)}. `/pod gpus` lists them all."])


def gpu_line(gpu: GpuType) -> str:
    """`NVIDIA H100 80GB HBM3` 80 GB · secure $2.99 · community $2.69 · stock: high."""
    memory = f" {gpu.memory_gb} GB" if gpu.memory_gb else ""
    prices = [
        f"{cloud} {money(usd)}"
        for cloud, usd in (("secure", gpu.secure_usd), ("community", gpu.community_usd))
        if usd is not None
    ]
    return " · ".join([f"{code(gpu.id)}{memory}", *(prices or ["price unknown"]), f"stock: {_stock(gpu)}"])


def _stock(gpu: GpuType) -> str:
    best = [gpu.stock[centre] for centre in gpu.data_centers]
    return word(best[0]) if best else "none or unknown"


def _price(gpu: GpuType) -> tuple[float, str]:
    known = [usd for usd in (gpu.secure_usd, gpu.community_usd) if usd is not None]
    return (min(known) if known else float("inf"), gpu.id)
