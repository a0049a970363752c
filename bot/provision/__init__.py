"""Asking for a pod: the same way for people and for agents."""
