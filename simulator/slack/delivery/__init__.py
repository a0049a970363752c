"""How payloads reach the app: Socket Mode or signed HTTP, and what Slack makes of the answer."""
