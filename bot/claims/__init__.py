"""Whose a pod is, as people say it: claims, objections, hand-overs."""
