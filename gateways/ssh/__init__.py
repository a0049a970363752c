"""Pods over SSH, and the keys that open them."""
