"""Asking people what should happen to a pod: the card, the notice, and what a click on them does."""
