"""REST v2, account: registered SSH keys and network volumes."""

from dataclasses import replace

from simulator.runpod.catalogue import Volume
from simulator.runpod.fleet import Fleet
from simulator.runpod.http import Json, Response, Visit, problem
from simulator.runpod.ordering import RuleError
from simulator.runpod.refusal import RefusedError, Why
from simulator.runpod.validation import CREATE_VOLUME, SSH_KEYS, UPDATE_VOLUME, InvalidError, checked


class AccountApi:
    """The SSH key and network volume endpoints."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def get_keys(self, _visit: Visit) -> Response:
        """GET /v2/account/ssh-keys"""
        return Response(body={"keys": list(self._fleet.account.ssh_keys)})

    def put_keys(self, visit: Visit) -> Response:
        """PUT /v2/account/ssh-keys: a complete replacement"""
        self._fleet.account.ssh_keys = tuple(checked(SSH_KEYS, visit.request.body)["keys"])
        return self.get_keys(visit)

    def list_volumes(self, _visit: Visit) -> Response:
        """GET /v2/network-volumes"""
        volumes = self._fleet.catalogue.volumes.values()
        return Response(body={"networkVolumes": [_shown(volume) for volume in volumes]})

    def create_volume(self, visit: Visit) -> Response:
        """POST /v2/network-volumes"""
        body = checked(CREATE_VOLUME, visit.request.body)
        center = self._fleet.catalogue.data_centers.get(body["dataCenter"])
        if center is None or not center.volume_types:
            raise RuleError(f"data center {body['dataCenter']} does not offer network volumes")
        kind = body.get("type", "STANDARD")
        if kind not in center.volume_types:
            raise RuleError(f"data center {center.id} does not offer {kind} volumes")
        volume = Volume(self._fleet.new_id(10), body["name"], body["size"], center.id, kind)
        self._fleet.catalogue.volumes[volume.id] = volume
        return Response(status=201, body=_shown(volume))

    def get_volume(self, _visit: Visit, volume_id: str) -> Response:
        """GET /v2/network-volumes/{id}"""
        return Response(body=_shown(self._volume(volume_id)))

    def update_volume(self, visit: Visit, volume_id: str) -> Response:
        """PATCH /v2/network-volumes/{id}: a volume never shrinks"""
        body = checked(UPDATE_VOLUME, visit.request.body)
        if not body:
            raise InvalidError(["$: minProperties: got 0, want 1"])
        volume = self._volume(volume_id)
        if body.get("size", volume.size) < volume.size:
            raise RuleError("network volume size cannot be reduced")
        volume = replace(volume, name=body.get("name", volume.name), size=body.get("size", volume.size))
        self._fleet.catalogue.volumes[volume_id] = volume
        return Response(body=_shown(volume))

    def delete_volume(self, _visit: Visit, volume_id: str) -> Response:
        """DELETE /v2/network-volumes/{id}: refused while a pod mounts it"""
        volume = self._volume(volume_id)
        for pod in self._fleet.present():
            if pod.order.network is not None and pod.order.network.volume_id == volume.id:
                return problem(400, f"network volume is in use by pod {pod.id}")
        del self._fleet.catalogue.volumes[volume_id]
        return Response(status=204)

    def _volume(self, volume_id: str) -> Volume:
        volume = self._fleet.catalogue.volumes.get(volume_id)
        if volume is None:
            raise RefusedError(Why.NOT_FOUND, "network volume not found")
        return volume


def _shown(volume: Volume) -> Json:
    return {
        "id": volume.id,
        "name": volume.name,
        "size": volume.size,
        "dataCenter": volume.data_center,
        "type": volume.type,
    }
