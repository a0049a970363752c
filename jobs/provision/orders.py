"""One create call, as it goes out: the order, the marks, and the public keys that are put on the pod."""

from collections.abc import Iterable

import structlog

from gateways.runpod.errors import RunPodError
from gateways.runpod.order import Cloud, CreateOrder, NetworkVolumeMount, VolumeDisk
from jobs.house import House
from pods.order import Order
from pods.provision.effects import Create
from pods.provision.value import Provision
from storage.ssh import keys_of

_log = structlog.get_logger(__name__)


async def create_order(house: House, provision: Provision, create: Create, owner: str) -> CreateOrder:
    """What is sent to RunPod for this call."""
    order = provision.order
    return CreateOrder(
        name=provision.runpod_name,
        provision_mark=provision.id,
        create_mark=create.token,
        gpu_id=create.gpu,
        gpu_count=order.count,
        disk_gb=order.disk_gb or house.defaults.disk_gb,
        public_keys=await _public_keys(house, owner),
        image=order.image,
        template_id=order.template,
        mount=_mount(order),
        data_centres=create.data_centers,
        cloud=Cloud(order.cloud.value.upper()),
        env=dict(order.env),
        ports=order.ports,
    )


def _mount(order: Order) -> VolumeDisk | NetworkVolumeMount | None:
    path = order.volume_path
    if path is not None and order.network_volume is not None:
        return NetworkVolumeMount(order.network_volume, path)
    if path is not None and order.volume_gb is not None:
        return VolumeDisk(order.volume_gb, path)
    return None


async def _public_keys(house: House, owner: str) -> tuple[str, ...]:
    """The service's key, the owner's, and the account's registered ones, each key once."""
    owners = await house.db.read(lambda session: keys_of(session, owner))
    own = (house.public_key, *(key.key for key in owners))
    return _each_once((*own, *(await _account_keys(house))))


async def _account_keys(house: House) -> tuple[str, ...]:
    """Without them the pod is still ours and its owner's: an account that does not tell holds nothing up."""
    if not house.on_pod.account_keys:
        return ()
    try:
        return await house.runpod.ssh_keys()
    except RunPodError as error:
        _log.warning("the account's SSH keys are left out of a pod", why=error.sentence)
        return ()


def _each_once(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys are the same whatever comment follows them."""
    by_key = {
        tuple(line.split()[:2]): " ".join(line.split()) for line in reversed(list(keys)) if line.split()
    }
    return tuple(reversed(by_key.values()))
