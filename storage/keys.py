"""Keys of rows: short enough for a name and a button, unique for ever."""

import hashlib
import secrets
import string

LETTERS = string.ascii_lowercase + string.digits
LENGTH = 8


def new_key() -> str:
    """A new random key: 8 characters `a-z0-9`. The primary key of the table makes it unique."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def key_from(origin: str) -> str:
    """The key of the row that this origin makes: the same however often it is handled."""
    digest = hashlib.sha256(origin.encode()).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:LENGTH])
