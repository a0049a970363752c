"""The outside world behind small protocols: RunPod, SSH, Slack."""
