"""People's SSH public keys."""
