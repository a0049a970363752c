"""People as objects: they type, look, click."""
