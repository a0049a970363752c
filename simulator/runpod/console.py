"""RunPod's web console: what people do by hand. Every act names who did it."""

from dataclasses import replace
from typing import Literal

from simulator.runpod.fleet import Fleet
from simulator.runpod.pod import Pod


class Console:
    """People acting past the API. `by` is `console:<person>`. `RefusedError` if it cannot be done."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet

    def stop(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Stop a pod."""
        return self._fleet.stop(pod_id, by)

    def start(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Start a stopped pod."""
        return self._fleet.start(pod_id, by)

    def restart(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Restart a running pod's container."""
        return self._fleet.restart(pod_id, by)

    def terminate(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """End a pod."""
        return self._fleet.terminate(pod_id, by)

    def rename(self, pod_id: str, name: str, by: str = "console:somebody") -> Pod:
        """Give a pod another name."""
        return self._fleet.edit(pod_id, replace(self._fleet.get(pod_id).order, name=name), by)

    def set_env(self, pod_id: str, env: dict[str, str], by: str = "console:somebody") -> Pod:
        """Replace a pod's environment; a running pod restarts."""
        return self._fleet.edit(pod_id, replace(self._fleet.get(pod_id).order, env=env), by)

    def lock(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Lock a pod against stopping and restarting."""
        return self._fleet.lock(pod_id, True, by)

    def unlock(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Take a lock away."""
        return self._fleet.lock(pod_id, False, by)

    def clone(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Make a second pod with the same name and environment."""
        return self._fleet.copy(pod_id, by, ends_original=False)

    def migrate(self, pod_id: str, by: str = "console:somebody") -> Pod:
        """Move a pod to another machine: a new id with the same name and environment, the old one ends."""
        return self._fleet.copy(pod_id, by, ends_original=True)

    def exit(self, pod_id: str, what: Literal["exited", "outbid"] = "exited") -> Pod:
        """RunPod itself stops a pod: its container exited, or somebody bid more."""
        return self._fleet.exit(pod_id, what)

    def balance(self, usd: float | None) -> None:
        """Say what is left on the account; None never ends."""
        self._fleet.purse.put(usd, self._fleet.look())
