"""Runs inside an environment that has Cloud Custodian: one full dry run of one rule over a synthetic fleet.

Prints seconds and the peak memory that the run added to the resources, in MB. Started by `audit_100k`.
The rule is the one that the stale audit applies: stopped for a day, ours by a tag, not kept.
"""

import sys
import tempfile
import time
import tracemalloc
from datetime import UTC, datetime, timedelta

NOW = datetime.now(tz=UTC)


def fleet(size: int) -> list[dict[str, object]]:
    """EC2 instances as AWS describes them: every third stopped, every second ours."""
    return [_instance(n) for n in range(size)]


def _instance(n: int) -> dict[str, object]:
    stopped_at = NOW - timedelta(hours=n % 30)
    exited = n % 3 == 0
    tags = [{"Key": "Name", "Value": f"work-{n}"}]
    if n % 2 == 0:
        tags.append({"Key": "made-by", "Value": "podkeeper"})
    return {
        "InstanceId": f"i-{n:017x}",
        "InstanceType": "p5.48xlarge",
        "LaunchTime": NOW - timedelta(days=10),
        "State": {"Name": "stopped" if exited else "running", "Code": 80 if exited else 16},
        "StateTransitionReason": f"User initiated ({stopped_at:%Y-%m-%d %H:%M:%S} GMT)" if exited else "",
        "Tags": tags,
    }


def main() -> None:
    """One run; `sys.argv`: how many resources, and `memory` to measure that instead of the time."""
    from c7n.config import Config
    from c7n.policy import PolicyCollection
    from c7n.resources import load_resources

    load_resources(("aws.ec2",))
    rule = {
        "name": "stale",
        "resource": "aws.ec2",
        "filters": [
            {"type": "value", "key": "State.Name", "value": "stopped"},
            {"type": "value", "key": "tag:made-by", "value": "podkeeper"},
            {"type": "value", "key": "tag:keep-until", "value": "absent"},
            {"type": "state-age", "op": "ge", "days": 1},
        ],
        "actions": ["terminate"],
    }
    with tempfile.TemporaryDirectory() as folder:
        options = Config.empty(region="us-east-1", account_id="000000000000", output_dir=folder, dryrun=True)
        policy = next(iter(PolicyCollection.from_data({"policies": [rule]}, options)))
        resources = fleet(int(sys.argv[1]))
        manager = policy.resource_manager
        manager.resources = lambda **_: manager.filter_resources(resources)
        measure = sys.argv[2:] == ["memory"]
        if measure:
            tracemalloc.start()
        began = time.perf_counter()
        found = policy.run()
        seconds = time.perf_counter() - began
        peak = tracemalloc.get_traced_memory()[1] / 1e6 if measure else 0.0
        print(f"{seconds:.4f} {peak:.3f} {len(found)}")


if __name__ == "__main__":
    main()
