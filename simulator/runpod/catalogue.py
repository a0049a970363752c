"""What the account can rent: GPU and CPU types with prices and stock, data centres, volumes, templates."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from simulator.runpod.order import DEFAULT_IMAGE

Stock = Literal["NONE", "LOW", "MEDIUM", "HIGH"]
STOCK_LEVELS: tuple[Stock, ...] = get_args(Stock)


@dataclass(frozen=True)
class GpuType:
    """A GPU type. Prices in USD per hour for one GPU; memory in GB."""

    id: str
    name: str
    memory: int
    secure_price: float
    community_price: float
    data_centers: tuple[str, ...]
    max_count: int = 8
    pool: str | None = None
    manufacturer: str = "NVIDIA"

    @property
    def community(self) -> bool:
        """Whether community hosts offer it."""
        return self.community_price > 0


@dataclass(frozen=True)
class CpuType:
    """A CPU flavour, price in USD per hour and vCPU."""

    id: str
    name: str
    group: str
    price_per_vcpu: float
    ram_gb_per_vcpu: int
    max_vcpus: int = 32


@dataclass(frozen=True)
class DataCenter:
    """A place with machines."""

    id: str
    name: str
    region: str
    volume_types: tuple[str, ...] = ("STANDARD",)
    compliance: tuple[str, ...] = ("SOC_2_TYPE_2",)
    global_network: bool = True

    @property
    def country(self) -> str:
        """Its ISO country code, as far as the id tells it."""
        return {"EU-RO-1": "RO", "EUR-IS-1": "IS"}.get(self.id, self.id[:2])


@dataclass(frozen=True)
class Volume:
    """A network volume; size in GB."""

    id: str
    name: str
    size: int
    data_center: str
    type: str = "STANDARD"


@dataclass(frozen=True)
class Template:
    """A pod template of the public catalogue."""

    id: str
    name: str
    image: str
    disk: int = 50
    ports: tuple[str, ...] = ("8888/http", "22/tcp")
    args: str = ""
    env: tuple[tuple[str, str], ...] = ()
    start_ssh: bool = True
    start_jupyter: bool = True
    serverless: bool = False
    source: Literal["official", "verified", "community"] = "official"


_ALL = ("US-KS-2", "US-TX-3", "US-CA-2", "CA-MTL-3", "EU-RO-1", "EUR-IS-1")
_US = ("US-KS-2", "US-TX-3", "US-CA-2")

GPUS = (
    GpuType("NVIDIA B200", "B200", 180, 5.98, 0, ("US-CA-2", "EU-RO-1")),
    GpuType("NVIDIA H200", "H200 SXM", 141, 3.99, 3.59, _US),
    GpuType("NVIDIA H100 80GB HBM3", "H100 SXM", 80, 2.99, 2.69, _ALL, pool="HOPPER_80"),
    GpuType("NVIDIA H100 NVL", "H100 NVL", 94, 2.79, 2.59, ("US-KS-2", "CA-MTL-3")),
    GpuType("NVIDIA H100 PCIe", "H100 PCIe", 80, 2.39, 1.99, _ALL, pool="HOPPER_80"),
    GpuType("NVIDIA A100-SXM4-80GB", "A100 SXM", 80, 1.74, 1.39, _ALL, pool="AMPERE_80"),
    GpuType("NVIDIA A100 80GB PCIe", "A100 PCIe", 80, 1.64, 1.19, _ALL, pool="AMPERE_80"),
    GpuType("NVIDIA L40S", "L40S", 48, 0.86, 0.79, _ALL, pool="ADA_48_PRO"),
    GpuType("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada", 48, 0.77, 0.74, _ALL),
    GpuType("NVIDIA RTX A6000", "RTX A6000", 48, 0.49, 0.33, _ALL, pool="AMPERE_48"),
    GpuType("NVIDIA A40", "A40", 48, 0.40, 0, ("US-KS-2", "EUR-IS-1"), 10, "AMPERE_48"),
    GpuType("NVIDIA L4", "L4", 24, 0.43, 0, ("EU-RO-1", "US-TX-3")),
    GpuType("NVIDIA GeForce RTX 5090", "RTX 5090", 32, 0.94, 0.69, ("US-TX-3", "EU-RO-1")),
    GpuType("NVIDIA GeForce RTX 4090", "RTX 4090", 24, 0.69, 0.34, _ALL, 8, "ADA_24"),
    GpuType("NVIDIA GeForce RTX 3090", "RTX 3090", 24, 0.46, 0.22, _ALL, 4, "AMPERE_24"),
    GpuType("NVIDIA RTX A5000", "RTX A5000", 24, 0.36, 0.16, _ALL, pool="AMPERE_24"),
    GpuType("AMD Instinct MI300X OAM", "MI300X", 192, 2.49, 0, ("EU-RO-1",), 8, None, "AMD"),
)
CPUS = (
    CpuType("cpu3c", "Compute-Optimized", "Gen 3", 0.03, 2),
    CpuType("cpu5c", "Compute-Optimized", "Gen 5", 0.04, 2),
    CpuType("cpu5g", "General-Purpose", "Gen 5", 0.05, 4),
)
DATA_CENTERS = (
    DataCenter("US-KS-2", "US Kansas 2", "NORTH_AMERICA", ("STANDARD", "HIGH_PERFORMANCE")),
    DataCenter("US-TX-3", "US Texas 3", "NORTH_AMERICA"),
    DataCenter("US-CA-2", "US California 2", "NORTH_AMERICA"),
    DataCenter("CA-MTL-3", "CA Montreal 3", "NORTH_AMERICA"),
    DataCenter("EU-RO-1", "EU Romania 1", "EUROPE", ("STANDARD", "HIGH_PERFORMANCE"), ("GDPR",)),
    DataCenter("EUR-IS-1", "EU Iceland 1", "EUROPE", (), ("GDPR", "RENEWABLE"), False),
)
TEMPLATES = (
    Template("30zmvf89kd", "PyTorch 2.8", DEFAULT_IMAGE),
    Template("runpod-ubuntu", "Ubuntu 22.04", "runpod/base:1.0.0-ubuntu2204", 20, ("22/tcp",)),
    Template("vllm-latest", "vLLM", "vllm/vllm-openai:latest", 80, ("8000/http",), serverless=True),
    Template("axolotl-9x", "Axolotl", "axolotlai/axolotl-cloud:main-latest", source="community"),
)


@dataclass
class Catalogue:
    """What is on offer now. Stock is a level per GPU type and data centre."""

    gpus: dict[str, GpuType] = field(default_factory=lambda: {gpu.id: gpu for gpu in GPUS})
    cpus: dict[str, CpuType] = field(default_factory=lambda: {cpu.id: cpu for cpu in CPUS})
    data_centers: dict[str, DataCenter] = field(
        default_factory=lambda: {center.id: center for center in DATA_CENTERS}
    )
    templates: dict[str, Template] = field(
        default_factory=lambda: {template.id: template for template in TEMPLATES}
    )
    volumes: dict[str, Volume] = field(default_factory=dict)
    _stock: dict[tuple[str, str], Stock] = field(default_factory=dict)

    def set_stock(self, gpu: str, level: Stock, data_center: str | None = None) -> None:
        """Say how much there is of a GPU type, in one data centre or all; `KeyError` if unknown."""
        if level not in STOCK_LEVELS:
            raise ValueError(f"stock is one of {', '.join(STOCK_LEVELS)}, not {level!r}")
        centers = self.gpus[gpu].data_centers if data_center is None else (data_center,)
        for center in centers:
            self._stock[gpu, center] = level

    def stock(self, gpu: GpuType, data_center: str) -> Stock:
        """How much of a GPU type a data centre has: HIGH unless said otherwise; NONE if it has none."""
        if data_center not in gpu.data_centers:
            return "NONE"
        return self._stock.get((gpu.id, data_center), "HIGH")

    def best_stock(self, gpu: GpuType, data_centers: tuple[str, ...] | None = None) -> Stock:
        """The best level over some data centres, or over all."""
        centers = gpu.data_centers if data_centers is None else data_centers
        levels = [STOCK_LEVELS.index(self.stock(gpu, center)) for center in centers]
        return STOCK_LEVELS[max(levels, default=0)]

    def place(self, gpu: str, count: int, cloud: str, wanted: tuple[str, ...]) -> str | None:
        """The data centre that would take such a pod; None: no capacity (an unknown type reads the same)."""
        kind = self.gpus.get(gpu)
        if kind is None or count > kind.max_count or (cloud == "COMMUNITY" and not kind.community):
            return None
        fits = (center for center in wanted or kind.data_centers if self.stock(kind, center) != "NONE")
        return next(fits, None)
