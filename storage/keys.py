"""Keys of rows: short enough for a name and a button, unique for ever."""

import secrets
import string

LETTERS = string.ascii_lowercase + string.digits
LENGTH = 8


def new_key() -> str:
    """A new random key: 8 characters `a-z0-9`. The primary key of the table makes it unique."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
