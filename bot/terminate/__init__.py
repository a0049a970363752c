"""Ending, stopping and starting a pod, by a person: shown first, confirmed, and for a moment undone."""
