"""Slack's Web API."""
