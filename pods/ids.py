"""Identifiers. They are types of their own so that no free text can be passed where one is meant."""

from typing import NewType

PodId = NewType("PodId", str)
"""RunPod's id of a pod. Compared for equality only."""

UserId = NewType("UserId", str)
"""A Slack user id, such as U012AB3CD."""

AgentId = NewType("AgentId", str)
"""The registered name of a coding agent."""

ProvisionId = NewType("ProvisionId", str)
"""The key of one provision: eight characters a-z0-9, unique for ever."""
