"""How one value of an option is read. Each raises `ValueError` with a sentence about what is wrong."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from urllib.parse import SplitResult, urlsplit

from pods.order import Cloud

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OURS = ("PODKEEPER_", "RUNPOD_")
_KEYS = frozenset({"PUBLIC_KEY", "SSH_PUBLIC_KEY"})
_SECRET = re.compile(r"TOKEN|SECRET|PASSW|API_?KEY|CREDENTIAL|PRIVATE", re.IGNORECASE)
_PORT = re.compile(r"([0-9]{1,5})/(http|tcp)")
_SCP = re.compile(r"git@[A-Za-z0-9.-]+:[^\s:][^\s]*")
_SCHEMES = ("https", "http", "ssh", "file")
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_IMAGE = re.compile(r"[a-z0-9][A-Za-z0-9._:/@+-]{0,254}")
_BRANCH_REFUSED = re.compile(r"[\s~^:?*\[\\\x00-\x1f\x7f]|\.\.|@\{|//|/\.|\.lock(/|$)")
_DATA_CENTER = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")


def read_number(text: str, least: int, most: int, what: str) -> int:
    """A whole number within its bounds; `what` completes the sentence "there can be 1 to 8 …"."""
    if not re.fullmatch(r"[+-]?[0-9]{1,12}", text):
        raise ValueError(f"`{short(text)}` is not a whole number; it can be {least:,} to {most:,} {what}")
    number = int(text)
    if not least <= number <= most:
        raise ValueError(f"`{short(text)}` is out of bounds; it can be {least:,} to {most:,} {what}")
    return number


def read_list(text: str) -> tuple[str, ...]:
    """Words with commas between them, none of them empty."""
    parts = tuple(part.strip() for part in text.split(","))
    if not all(parts):
        raise ValueError(f"`{short(text)}` has an empty place between its commas")
    return parts


def read_flag(text: str) -> bool:
    match text:
        case "yes":
            return True
        case "no":
            return False
        case _:
            raise ValueError(f"`{short(text)}` is neither `yes` nor `no`")


def read_cloud(text: str) -> Cloud:
    try:
        return Cloud(text.lower())
    except ValueError:
        near = get_close_matches(text.lower(), list(Cloud), n=1)
        meant = f"; did you mean `{near[0]}`?" if near else "; it is `secure` or `community`"
        raise ValueError(f"there is no cloud `{short(text)}`{meant}") from None


def read_repo(text: str) -> str:
    """An address that git can clone: `https`, `http`, `ssh`, `file`, `git@host:path`. No password in it."""
    if _SCP.fullmatch(text):
        return text
    parts = _address(text)
    if parts is None:
        raise ValueError(
            f"`{short(text)}` is no repository address; it begins with `https://`, `http://`, `ssh://`, "
            "`file://` or `git@host:` and names a path"
        )
    if parts.password is not None or (parts.scheme in ("http", "https") and parts.username):
        raise ValueError(
            f"the address at `{parts.hostname}` has a name or token in it, which everybody could read on "
            "the pod; leave it out, the service has its own token for private repositories"
        )
    return text


def _address(text: str) -> SplitResult | None:
    """The parts of an address of a usable scheme that names a host and a path; else `None`."""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return None
    known = parts.scheme in _SCHEMES and (host or parts.scheme == "file") and parts.path.strip("/")
    return parts if known and not re.search(r"[\s\x00-\x1f\x7f]", text) else None


def read_branch(text: str) -> str:
    """A name that git accepts for a branch, a tag or a commit."""
    if _BRANCH_REFUSED.search(text) or text[0] in "-/" or text[-1] in "/." or text == "@":
        raise ValueError(f"`{short(text)}` cannot be the name of a branch")
    return text


def read_image(text: str) -> str:
    if not _IMAGE.fullmatch(text):
        raise ValueError(f"`{short(text)}` is not the name of a container image")
    return text


def read_id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError(f"`{short(text)}` is not an id; an id has only letters, digits, `_` and `-`")
    return text


def read_data_centers(text: str) -> tuple[str, ...]:
    """Ids of data centres, in capitals: RunPod accepts small letters and then misbehaves."""
    ids = tuple(part.upper() for part in read_list(text))
    if wrong := [one for one in ids if not _DATA_CENTER.fullmatch(one)]:
        raise ValueError(f"`{short(wrong[0])}` is not the id of a data centre")
    return ids


def near_data_centers(wrong: str, known: Sequence[str]) -> tuple[str, ...]:
    """Those that somebody may have meant; if none is like it, all that there are."""
    return tuple(get_close_matches(wrong, known, n=3, cutoff=0.5)) or tuple(sorted(known))


def read_env(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not _ENV_NAME.fullmatch(name):
        raise ValueError(
            f"`{short(name)}` is not NAME=VALUE; a name has letters, digits and `_` and begins with a letter"
        )
    if name.upper().startswith(_OURS) or name.upper() in _KEYS:
        raise ValueError(f"`{name}` is set by the service itself; choose another name")
    if len(value) > 4_000:
        raise ValueError(f"the value of `{name}` has {len(value):,} characters; there can be 4,000")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", value):
        raise ValueError(f"the value of `{name}` has a control character in it")
    return name, value


def looks_secret(env_name: str) -> bool:
    """Whether a variable's name says that its value should not be read by others."""
    return _SECRET.search(env_name) is not None


def read_port(text: str) -> str:
    match = _PORT.fullmatch(text.lower())
    if not match or not 1 <= int(match[1]) <= 65_535:
        raise ValueError(f"`{short(text)}` is no port; it is a number from 1 to 65535 with `/http` or `/tcp`")
    return f"{int(match[1])}/{match[2]}"


def read_task(text: str) -> str:
    if len(text) > 500:
        raise ValueError(f"the task has {len(text):,} characters; there can be 500")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
        raise ValueError("the task has a control character in it")
    return text


def short(text: str) -> str:
    """The text as it can be repeated in a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
