"""How long things take for one pod, and how oddly RunPod speaks of it: every switch in one frozen value."""

from datetime import timedelta
from functools import cached_property
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

StatusTextStyle = Literal[
    "utc",
    "offset",
    "no_parenthesis",
    "date_only",
    "no_date",
    "iso",
    "other_case",
    "null",
    "contradicting",
    "before_start",
]
DateStyle = Literal["rfc3339", "fraction", "go", "null", "missing", "garbage", "future"]
SshQuirk = Literal["works", "refuses", "silent", "black_hole", "closes_after_banner", "rejects_key"]


class PodPlan(BaseModel):
    """The life that is laid out for a pod. Times are simulated seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # How long things take.
    allocation_s: float = Field(8, ge=0, description="create until the machine is there (PROVISIONING)")
    pull_s: float | None = Field(None, ge=0, description="image pull (STARTING); None: from the image's size")
    start_s: float = Field(3, ge=0, description="pulled until the container runs")
    resume_s: float = Field(10, ge=0, description="start of a stopped pod until its container runs")
    restart_s: float = Field(3, ge=0, description="restart until the container runs again")
    ssh_s: float = Field(1, ge=0, description="container start until sshd listens")
    ports_s: float | None = Field(
        4, ge=0, description="container start until the API shows ports; None: never"
    )

    # What happens to it by itself.
    stuck_in: Literal["PROVISIONING", "STARTING", "RUNNING"] | None = Field(
        None, description="the container never starts; the API says this for ever"
    )
    exits_after_s: float | None = Field(
        None, ge=0, description="RunPod stops it so long after container start"
    )
    outbid_after_s: float | None = Field(None, ge=0, description="outbid so long after container start")
    error_after_s: float | None = Field(None, ge=0, description="status ERROR so long after container start")
    container_dies_after_s: float | None = Field(
        None, ge=0, description="the container dies but the status stays RUNNING, without a runtime"
    )

    # What the API shows.
    running_at_once: bool = Field(False, description="status RUNNING with runtime null before anything runs")
    runtime: Literal["true", "null", "empty"] = Field(
        "true", description="what `runtime` shows while it runs"
    )
    runtime_null_s: float = Field(0, ge=0, description="runtime null so long after container start")
    runtime_empty_s: float = Field(0, ge=0, description="then {} for so long")
    runtime_nulls: int = Field(
        0, ge=0, description="so many looks at the running pod show null, then truth again"
    )
    ssh_direct: Literal["with_runtime", "by_itself"] = Field(
        "with_runtime", description="whether ssh.direct goes null together with the runtime"
    )
    stale_runtime_s: float = Field(
        0, ge=0, description="after an exit the runtime is shown on, uptime climbing"
    )
    not_found_s: float = Field(0, ge=0, description="GET by id says 404 so long after create")
    unlisted_s: float = Field(0, ge=0, description="missing from listings so long after create")
    cost: Literal["true", "zero", "missing"] = "true"
    exited_cost_kept: bool = Field(False, description="an exited pod still shows its running price")
    dates: DateStyle = "rfc3339"
    unreadable: Literal["no", "fields", "types", "id"] = Field(
        "no", description="listed with fields missing, with wrong types, or without an id"
    )
    cluster: str | None = Field(None, description="member of this cluster")
    locked: bool = False
    status_text: StatusTextStyle = Field("utc", description="how lastStatusChange is written")
    status_text_is: str | None = Field(None, description="lastStatusChange to the letter")
    terminated_listed_s: float = Field(0, ge=0, description="listed as TERMINATED so long after its end")

    # How it ends.
    terminate_answers: int | None = Field(None, description="a terminate is answered with this status")
    terminate_works: bool = Field(True, description="whether a terminate that is answered 404 or so ends it")
    terminate_takes_s: float = Field(0, ge=0, description="answered at once, ended and billed so much later")
    terminating_shows: Literal["unchanged", "EXITED", "TERMINATED"] = "unchanged"

    # Inside.
    ssh: SshQuirk = "works"
    ssh_drops_after_s: float | None = Field(
        None, gt=0, description="connections are cut after so many real seconds"
    )
    host_key: Literal["per_disk", "changes", "stays"] = Field(
        "per_disk", description="new SSH host key: when the container disk is new, at every start, never"
    )
    disk_kb: int | None = Field(
        None, gt=0, description="HOME is a file system of its own, so small; needs Linux user namespaces"
    )
    image_starts_ssh: bool | None = Field(
        None, description="the image honours PUBLIC_KEY; None: runpod/ images do"
    )
    gpus_seen: int | None = Field(None, ge=0, description="GPUs that nvidia-smi shows; None: as ordered")
    driver_mismatch: bool = Field(
        False, description="nvidia-smi fails with a driver/library version mismatch"
    )
    container_log: tuple[tuple[float, str], ...] | None = Field(
        None, description="(seconds after container start, line); None: the usual lines"
    )
    system_log_stalls_after_s: float | None = Field(
        None, ge=0, description="no system log line later than this"
    )
    price: float | None = Field(
        None, ge=0, description="USD per hour of the whole pod; None: by the catalogue"
    )

    @cached_property
    def null_lasts(self) -> timedelta:
        """How long after container start the runtime is null."""
        return timedelta(seconds=self.runtime_null_s)

    @cached_property
    def empty_lasts(self) -> timedelta:
        """How long after container start the runtime is null, then {}."""
        return timedelta(seconds=self.runtime_null_s + self.runtime_empty_s)

    @classmethod
    def instant(cls) -> Self:
        """A pod that runs, answers and shows its port the moment it is created."""
        return cls(
            allocation_s=0, pull_s=0, start_s=0, resume_s=0, restart_s=0, ssh_s=0, ports_s=0
        )  # fmt: skip

    def with_changes(self, **changes: object) -> "PodPlan":
        """This plan with some fields different; `pydantic.ValidationError` for a wrong field or value."""
        return PodPlan.model_validate(self.model_dump() | changes)
