"""What the rest of the house may ask of RunPod."""

from datetime import datetime
from typing import Protocol

from gateways.runpod.budget import Priority
from gateways.runpod.catalogue import DataCentre, GpuType, NetworkVolume
from gateways.runpod.logs import LogLine, LogSource
from gateways.runpod.order import CreateOrder
from pods.snapshot import Absent, Listing, Snapshot, Unreadable
from pods.warrant import Warrant


class RunPod(Protocol):
    """A RunPod account. Every call but `list_pods` raises the errors of `gateways.runpod.errors`."""

    async def list_pods(self, *, priority: Priority = Priority.LISTING) -> Listing:
        """All pods of the account, cluster members too. Never raises: what goes wrong is a listing that is
        not whole, with the reason."""
        ...

    async def get_pod(
        self, pod_id: str, *, priority: Priority = Priority.REST
    ) -> Snapshot | Unreadable | Absent:
        """One pod by its id. `Absent` is RunPod's own 404.

        Raises:
            Unreachable, RateLimited, Unauthorized
        """
        ...

    async def create(self, order: CreateOrder) -> Snapshot | Unreadable:
        """Rents a pod; sent once. Also an `Unreadable` answer names a pod that now exists.

        Raises:
            Unreachable: nothing was sent.
            AnswerUnknown: the pod may exist; look for its token before another call.
            Refused, RateLimited, Unauthorized: no pod was made.
        """
        ...

    async def terminate(self, warrant: Warrant) -> None:
        """Ends the pod of the warrant; sent once. A return is RunPod's yes, not yet the end of the pod.

        Raises:
            WarrantRefused: the warrant is for another act, or spent.
            NotFound: RunPod does not know the pod.
            Cannot: RunPod will not do it (cluster, status).
            AnswerUnknown, Unreachable, Refused, RateLimited, Unauthorized
        """
        ...

    async def stop(self, warrant: Warrant) -> None:
        """Stops the pod of the warrant, which wipes its container disk; sent once. Errors as `terminate`."""
        ...

    async def start(self, pod_id: str) -> None:
        """Starts a stopped pod; sent once. Errors as `terminate`, without the warrant."""
        ...

    async def logs(
        self,
        pod_id: str,
        source: LogSource,
        *,
        tail: int = 100,
        since: datetime | None = None,
        seconds: float = 3.0,
    ) -> tuple[LogLine, ...]:
        """Lines of one of the pod's logs: the last `tail`, or at most `tail` from `since` on, as far as they
        come within `seconds`.

        Raises:
            NotFound, Unreachable, RateLimited, Unauthorized
        """
        ...

    async def gpu_catalogue(self) -> tuple[GpuType, ...]:
        """GPU types with list prices and their stock for pods."""
        ...

    async def data_centres(self) -> tuple[DataCentre, ...]:
        """All data centres."""
        ...

    async def network_volumes(self) -> tuple[NetworkVolume, ...]:
        """The account's network volumes."""
        ...

    async def ssh_keys(self) -> tuple[str, ...]:
        """The account's registered public keys. Also the cheapest way to see whether the API key is good."""
        ...
