"""The Slack door: what comes in is verified, taken down, acknowledged and only then handled."""
