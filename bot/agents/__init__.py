"""The door for coding agents: signed events in, requests and provisions to look at."""
