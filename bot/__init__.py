"""The doors: Slack, HTTP for agents, the command line, settings, and the one composition root."""
