"""The doors: Slack, the agents' HTTP API, the command line, settings, and the one composition root."""
