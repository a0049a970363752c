import pytest

from pods.gpus import GpuType, NoType, OneType, SeveralTypes, Stock, describe, match_gpu
from pods.order import Cloud


def gpu(gpu_id: str, name: str, memory: int = 80) -> GpuType:
    return GpuType(gpu_id, name, memory, 2.39, 1.99)


CATALOGUE = (
    gpu("NVIDIA H100 80GB HBM3", "H100 SXM"),
    gpu("NVIDIA H100 PCIe", "H100 PCIe"),
    gpu("NVIDIA H100 NVL", "H100 NVL", 94),
    gpu("NVIDIA A100-SXM4-80GB", "A100 SXM"),
    gpu("NVIDIA GeForce RTX 4090", "RTX 4090", 24),
    gpu("NVIDIA L4", "L4", 24),
    gpu("NVIDIA L40", "L40", 48),
)


@pytest.mark.parametrize(
    ("word", "gpu_id"),
    [
        ("NVIDIA H100 PCIe", "NVIDIA H100 PCIe"),
        ("nvidia h100 pcie", "NVIDIA H100 PCIe"),
        ("h100 sxm", "NVIDIA H100 80GB HBM3"),
        ("H100-SXM", "NVIDIA H100 80GB HBM3"),
        ("NVL", "NVIDIA H100 NVL"),
        ("4090", "NVIDIA GeForce RTX 4090"),
        ("rtx4090", "NVIDIA GeForce RTX 4090"),
        ("A100", "NVIDIA A100-SXM4-80GB"),
        ("L4", "NVIDIA L4"),
    ],
)
def test_a_word_that_fits_one_type_means_it(word: str, gpu_id: str) -> None:
    match = match_gpu(word, CATALOGUE)
    assert isinstance(match, OneType)
    assert match.gpu.id == gpu_id


def test_a_word_that_fits_several_is_answered_with_all_of_them() -> None:
    match = match_gpu("H100", CATALOGUE)
    assert isinstance(match, SeveralTypes)
    assert [one.id for one in match.gpus] == ["NVIDIA H100 80GB HBM3", "NVIDIA H100 NVL", "NVIDIA H100 PCIe"]


@pytest.mark.parametrize("word", ["H1000", "A10O", "RTX 4091"])
def test_a_mistyped_word_is_answered_with_what_comes_near(word: str) -> None:
    match = match_gpu(word, CATALOGUE)
    assert isinstance(match, NoType)
    assert match.near


def test_nothing_is_near_to_nonsense() -> None:
    assert match_gpu("qwxyz!", CATALOGUE) == NoType(())


def test_an_empty_word_means_nothing() -> None:
    assert match_gpu(" ", CATALOGUE) == NoType(())


def test_an_exact_name_wins_over_the_words_of_other_types() -> None:
    twins = (gpu("NVIDIA L4", "L4"), gpu("NVIDIA L4 Ada", "L4 Ada"))
    assert match_gpu("l4", twins) == OneType(twins[0])


def test_data_centres_come_with_the_best_stock_first() -> None:
    stocked = GpuType("X", "X", 1, 1, 1, {"B": Stock.LOW, "C": Stock.HIGH, "A": Stock.LOW, "D": Stock.NONE})
    assert stocked.data_centers == ("C", "A", "B", "D")


def test_a_type_is_listed_with_its_price() -> None:
    assert describe(CATALOGUE[0], Cloud.COMMUNITY) == "NVIDIA H100 80GB HBM3 (80 GB), $1.99 an hour each"


def test_a_price_of_zero_is_unknown() -> None:
    assert "price unknown" in describe(GpuType("X", "X", None, 0.0, None), Cloud.SECURE)
