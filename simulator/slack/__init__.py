"""A Slack workspace in a box; see README.md."""

from simulator.slack.client.handles import Outcome, SeenMessage, SeenView
from simulator.slack.client.person import Person
from simulator.slack.manifest import Manifest
from simulator.slack.settings import Settings
from simulator.slack.simulator import SlackSimulator

__all__ = ["Manifest", "Outcome", "Person", "SeenMessage", "SeenView", "Settings", "SlackSimulator"]
