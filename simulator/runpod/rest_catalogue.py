"""REST v2, catalogue: GPU and CPU types, data centres, public templates."""

from collections.abc import Mapping

from simulator.runpod.catalogue import Catalogue, CpuType, DataCenter, GpuType, Template
from simulator.runpod.http import Json, Response, Visit
from simulator.runpod.ordering import RuleError
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.validation import InvalidError

CUDA_VERSIONS = ("12.4", "12.8")
_ONLY_WITH_AVAILABILITY = (
    "product",
    "count",
    "cloud",
    "countryCodes",
    "cudaVersions",
    "minCudaVersion",
    "vcpuCount",
)


class CatalogueApi:
    """The catalogue endpoints."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def gpus(self, visit: Visit) -> Response:
        """GET /v2/catalog/gpus"""
        query = visit.request.query
        shown = (self._gpu(kind, query) for kind in self._catalogue.gpus.values())
        if query.get("countryCodes"):
            return Response(body={"gpus": [entry for entry in shown if "dataCenters" in entry]})
        return Response(body={"gpus": list(shown)})

    def gpu(self, visit: Visit, gpu_id: str) -> Response:
        """GET /v2/catalog/gpus/{id}"""
        kind = self._catalogue.gpus.get(gpu_id)
        if kind is None:
            raise RefusedError(Why.NOT_FOUND, "resource not found")
        return Response(body=self._gpu(kind, visit.request.query))

    def cpus(self, visit: Visit) -> Response:
        """GET /v2/catalog/cpus"""
        query = visit.request.query
        return Response(body={"cpus": [self._cpu(cpu, query) for cpu in self._catalogue.cpus.values()]})

    def cpu(self, visit: Visit, cpu_id: str) -> Response:
        """GET /v2/catalog/cpus/{id}"""
        kind = self._catalogue.cpus.get(cpu_id)
        if kind is None:
            raise RefusedError(Why.NOT_FOUND, "resource not found")
        return Response(body=self._cpu(kind, visit.request.query))

    def data_centers(self, visit: Visit) -> Response:
        """GET /v2/catalog/datacenters"""
        query = visit.request.query
        regions = _words(query.get("regions"))
        volumes, compliance = _words(query.get("networkVolumeTypes")), _words(query.get("compliance"))
        shown = [
            self._center(center, query)
            for center in self._catalogue.data_centers.values()
            if (not regions or center.region in regions)
            and volumes <= set(center.volume_types)
            and compliance <= set(center.compliance)
            and query.get("globalNetwork", str(center.global_network).lower())
            == str(center.global_network).lower()
        ]
        return Response(body={"dataCenters": shown})

    def data_center(self, visit: Visit, center_id: str) -> Response:
        """GET /v2/catalog/datacenters/{id}"""
        center = self._catalogue.data_centers.get(center_id)
        if center is None:
            raise RefusedError(Why.NOT_FOUND, "resource not found")
        return Response(body=self._center(center, visit.request.query))

    def templates(self, visit: Visit) -> Response:
        """GET /v2/catalog/templates"""
        source = visit.request.query.get("source", "official")
        if source not in ("official", "verified", "community"):
            raise InvalidError(["$.source: value must be one of 'official', 'verified', 'community'"])
        fits = (entry for entry in self._catalogue.templates.values() if entry.source == source)
        return Response(body={"templates": [_template(entry) for entry in fits]})

    def _gpu(self, kind: GpuType, query: Mapping[str, str]) -> Json:
        entry: Json = {
            "id": kind.id,
            "name": kind.name,
            "pool": kind.pool,
            "manufacturer": kind.manufacturer,
            "memory": kind.memory,
            "secure": True,
            "community": kind.community,
            "price": {"secure": kind.secure_price, "community": kind.community_price},
            "maxCount": {"secure": kind.max_count, "community": kind.max_count if kind.community else 0},
        }
        if not _with_availability(query):
            return entry
        countries, count = _words(query.get("countryCodes")), _count(query.get("count", "1"))
        fits = count <= kind.max_count and (query.get("cloud", "SECURE") == "SECURE" or kind.community)
        centers = tuple(
            center for center in kind.data_centers
            if fits and (not countries or self._catalogue.data_centers[center].country in countries)
        )  # fmt: skip
        entry["availability"] = self._catalogue.best_stock(kind, centers)
        entry["cudaVersions"] = [
            {"version": version, "available": bool(centers)} for version in CUDA_VERSIONS
        ]
        if entry["availability"] != "NONE":
            entry["dataCenters"] = [
                {
                    "id": center,
                    "name": self._catalogue.data_centers[center].name,
                    "availability": self._catalogue.stock(kind, center),
                }
                for center in centers
            ]
        return entry

    def _cpu(self, kind: CpuType, query: Mapping[str, str]) -> Json:
        price = {"securePerVcpu": kind.price_per_vcpu, "serverlessPerVcpu": kind.price_per_vcpu}
        entry: Json = {
            "id": kind.id,
            "name": kind.name,
            "group": kind.group,
            "vcpu": {"min": 2, "max": kind.max_vcpus},
            "ramGbPerVcpu": kind.ram_gb_per_vcpu,
            "price": price,
        }
        return entry | {"availability": "HIGH"} if _with_availability(query) else entry

    def _center(self, center: DataCenter, query: Mapping[str, str]) -> Json:
        entry: Json = {
            "id": center.id,
            "name": center.name,
            "region": center.region,
            "networkVolumeTypes": list(center.volume_types),
            "compliance": list(center.compliance),
            "globalNetwork": center.global_network,
        }
        include = _words(query.get("include"))
        if not include <= {"GPU_AVAILABILITY", "CPU_AVAILABILITY"}:
            raise InvalidError(["$.include: value must be one of 'GPU_AVAILABILITY', 'CPU_AVAILABILITY'"])
        if "GPU_AVAILABILITY" in include:
            entry["gpuAvailability"] = [
                {"id": kind.id, "name": kind.name, "availability": self._catalogue.stock(kind, center.id)}
                for kind in self._catalogue.gpus.values()
                if center.id in kind.data_centers
            ]
        if "CPU_AVAILABILITY" in include:
            entry["cpuAvailability"] = [
                {"id": kind.id, "name": kind.name, "availability": "HIGH"}
                for kind in self._catalogue.cpus.values()
            ]
        return entry


def _words(text: str | None) -> set[str]:
    return set(text.split(",")) if text else set()


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise InvalidError(["$.count: must be a whole number of at least 1"])
    return int(text)


def _with_availability(query: Mapping[str, str]) -> bool:
    include = _words(query.get("include"))
    if not include <= {"AVAILABILITY"}:
        raise InvalidError(["$.include: value must be one of 'AVAILABILITY'"])
    products = _words(query.get("product"))
    if not products <= {"POD", "CLUSTER", "SERVERLESS"}:
        raise InvalidError(["$.product: value must be one of 'POD', 'CLUSTER', 'SERVERLESS'"])
    if include and not products:
        raise RuleError("product is required with include=AVAILABILITY")
    if not include and (extra := [name for name in _ONLY_WITH_AVAILABILITY if name in query]):
        raise RuleError(f"{extra[0]} is valid only with include=AVAILABILITY")
    return bool(include)


def _template(template: Template) -> Json:
    return {
        "id": template.id,
        "name": template.name,
        "image": template.image,
        "args": template.args,
        "disk": template.disk,
        "mounts": {},
        "ports": list(template.ports),
        "env": dict(template.env),
        "registry": None,
        "serverless": template.serverless,
        "public": True,
        "category": "NVIDIA",
        "startSsh": template.start_ssh,
        "startJupyter": template.start_jupyter,
        "allowedCudaVersions": [],
    }
