"""A person's SSH public key, as typed: one line, read strictly."""

import re
from dataclasses import dataclass

import asyncssh

_PRIVATE = re.compile(
    r"PRIVATE[\s_-]*KEY|PuTTY-User-Key-File|openssh-key-v1|b3BlbnNzaC1rZXktdjE", re.IGNORECASE
)
_TYPES = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
)
_LONGEST = 8192
_SHORTEST_RSA_BITS = 2048
_COMMENT = re.compile(r"[^A-Za-z0-9._@+-]+")
_EXAMPLE = "a right one looks like: ssh-ed25519 AAAAC3Nza… you@laptop (the file that ends in .pub)"


class PublicKeyError(ValueError):
    """The text is no public key. The sentence says why and never repeats the text."""


class PrivateKeyShown(PublicKeyError):
    """The text holds a private key: it is burnt and must be replaced."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key in the form of authorized_keys, without options."""

    line: str
    """`<type> <base64> [comment]`, one line."""
    fingerprint: str
    """SHA256:…, as ssh-keygen -l prints it."""
    kind: str
    comment: str


def read_public_key(typed: str) -> PublicKey:
    """The key that a person typed.

    Raises:
        PrivateKeyShown: it is a private key.
        PublicKeyError: it is no public key, or one that is too weak.
    """
    line = typed.strip()
    if _PRIVATE.search(line):
        raise PrivateKeyShown(
            "That is a *private* key. I have not kept it, but it has now been shown to others: please make a "
            "new one (ssh-keygen -t ed25519), and add the file that ends in .pub."
        )
    parts = line.split()
    if not parts:
        raise PublicKeyError(f"There is no key in that; {_EXAMPLE}")
    if len(line) > _LONGEST or "\n" in line or "\r" in line:
        raise PublicKeyError("One key at a time please, in one line.")
    if parts[0] not in _TYPES or len(parts) < 2:
        raise PublicKeyError(f"That does not begin like an SSH public key; {_EXAMPLE}")
    return _read(parts[0], parts[1], " ".join(parts[2:]))


def _read(kind: str, base64: str, comment: str) -> PublicKey:
    try:
        key = asyncssh.import_public_key(f"{kind} {base64}")
    except (asyncssh.KeyImportError, ValueError) as why:
        raise PublicKeyError(f"That key is damaged or cut off; {_EXAMPLE}") from why
    if key.get_algorithm() != kind:
        raise PublicKeyError(f"That key says it is {kind}, but what follows is another kind.")
    bits = getattr(getattr(key, "pyca_key", None), "key_size", None)
    if kind == "ssh-rsa" and isinstance(bits, int) and bits < _SHORTEST_RSA_BITS:
        raise PublicKeyError(f"That RSA key has only {bits} bits; 2048 are needed, ed25519 is better.")
    clean = _COMMENT.sub("_", comment)[:80]
    return PublicKey(f"{kind} {base64} {clean}".strip(), key.get_fingerprint(), kind, clean)
