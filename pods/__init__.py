"""The judgement, pure: what a pod is, whose it is, what should happen to it and why."""
