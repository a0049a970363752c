"""The pods that are there before the tour begins: teammates' own, rented by hand, with a past."""

from dataclasses import dataclass

from simulator.runpod import RunPodSimulator
from simulator.runpod.pod import Pod

GPU = "NVIDIA H100 80GB HBM3"


@dataclass(frozen=True, slots=True)
class Fleet:
    """Whose is whose is not written anywhere: RunPod does not say it."""

    running: Pod
    """Carol's; works."""
    fresh: Pod
    """Dana's; stopped an hour ago, rented four days ago."""
    stale: Pod
    """Bob's; stopped thirty hours ago."""
    stuck: Pod
    """Somebody's; has been billing for an hour and a half without ever having run."""


def furnish(runpod: RunPodSimulator) -> Fleet:
    """Rent the pods, as people did by hand before Podkeeper came."""
    return Fleet(
        running=runpod.rent("carol-llm", gpu=GPU, count=4, by="console:carol", created=runpod.ago(hours=40)),
        fresh=runpod.rent(
            "dana-eval",
            gpu=GPU,
            by="console:dana",
            volume_gb=100,
            created=runpod.ago(hours=100),
            exited=runpod.ago(hours=1),
        ),
        stale=runpod.rent(
            "bob-old",
            gpu=GPU,
            by="console:bob",
            volume_gb=200,
            created=runpod.ago(hours=90),
            exited=runpod.ago(hours=30),
        ),
        stuck=runpod.rent(
            "wandering",
            gpu=GPU,
            by="console:carol",
            created=runpod.ago(hours=1, minutes=30),
            stuck_in="RUNNING",
        ),
    )
