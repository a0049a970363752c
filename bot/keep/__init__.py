"""Protecting a pod for a time."""
