"""What was asked for at one of the doors, before it is understood: option names with the words given.

The command, the form and an agent's request all become the same `Wish`. Nothing is dropped on the
way: what cannot be placed is a complaint, or (in a request) is named as ignored.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pods.durations import continues_duration
from pods.options import BY_KEY, BY_NAME, NAME, OPTIONS, Complaint, Kind, Option, about, near_option

YES = "yes"
NO = "no"
_YES_WORDS = frozenset({"yes", "y", "true", "on", "1"})
_NO_WORDS = frozenset({"no", "n", "false", "off", "0"})
_ALREADY_OWN = frozenset({"channel", "notify"})


@dataclass(frozen=True, slots=True)
class Wish:
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Option name to what was given for it. A flag's value is `yes` or `no`."""
    complaints: tuple[Complaint, ...] = ()
    ignored: tuple[str, ...] = ()
    """Fields of a request that mean nothing here."""


def wish_from_command(words: Sequence[str]) -> Wish:
    """The wish of a typed command: `NAME --option value …`, in any order."""
    values: dict[str, list[str]] = {}
    complaints: list[Complaint] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not re.match(r"--?[A-Za-z]", word):
            _place(values, complaints, NAME, word)
            continue
        typed, equals, given = word.partition("=")
        option = BY_NAME.get(typed.removeprefix("--").lower().replace("_", "-"))
        if option is None or option.name == NAME or not typed.startswith("--"):
            complaints.append(_unknown(typed))
            rest = _without_value(rest)
        elif equals:
            _place(values, complaints, option.name, given)
        elif option.kind is Kind.FLAG:
            _place(values, complaints, option.name, YES)
        elif not rest or rest[0].startswith("--"):
            complaints.append(about(option.name, f"`--{option.name}` needs a value"))
        else:
            _place(values, complaints, option.name, _value_from(option, rest))
    return Wish({name: tuple(given) for name, given in values.items()}, tuple(complaints))


def _value_from(option: Option, rest: list[str]) -> str:
    """Takes an option's value off the words; `2 days` and `H100, A100` are one value each."""
    value = rest.pop(0)
    while option.kind is Kind.LIST and value.endswith(",") and rest and not rest[0].startswith("--"):
        value += rest.pop(0)
    if option.kind is Kind.DURATION and rest and continues_duration(value, rest[0]):
        value += rest.pop(0)
    return value


def _place(values: dict[str, list[str]], complaints: list[Complaint], name: str, given: str) -> None:
    if name in values and BY_NAME[name].kind not in (Kind.REPEATED, Kind.LIST):
        what = "There is more than one name" if name == NAME else f"`--{name}` is given twice"
        before = values[name][0]
        hint = "; put quotes round a value with spaces" if name == NAME else ""
        complaints.append(about(name, f"{what}: `{_short(before)}` and `{_short(given)}`{hint}"))
    else:
        values.setdefault(name, []).append(given)


def _unknown(typed: str) -> Complaint:
    near = near_option(typed)
    meant = f"; did you mean `{near}`?" if near else ""
    right = BY_NAME[near.removeprefix("--")].typed if near else BY_NAME["gpu"].typed
    return Complaint(typed.lstrip("-") or typed, f"There is no option `{_short(typed)}`{meant}", right)


def _without_value(rest: list[str]) -> list[str]:
    """What follows an unknown option's probable value, so that this is not taken for a name."""
    return rest[1:] if rest and not rest[0].startswith("-") else rest


def wish_from_form(fields: Mapping[str, str | None]) -> Wish:
    """The wish of the form: block id to its text, `None` or blank where it was left empty."""
    values: dict[str, tuple[str, ...]] = {}
    complaints: list[Complaint] = []
    for block, text in fields.items():
        if block not in BY_NAME:
            complaints.append(_unknown(block))
        elif text is not None and text.strip():
            option = BY_NAME[block]
            parts = text.splitlines() if option.kind is Kind.REPEATED else [text.strip()]
            values[block] = tuple(_flag(option, part.strip()) for part in parts if part.strip())
    return Wish(values, tuple(complaints))


def _flag(option: Option, text: str) -> str:
    """A flag's word in the house's spelling; anything else as it is, to be complained about later."""
    if option.kind is not Kind.FLAG:
        return text
    if text.lower() in _YES_WORDS:
        return YES
    return NO if text.lower() in _NO_WORDS else text


def wish_from_request(data: Mapping[str, object]) -> Wish:
    """The wish of an agent's `pod.provision`: the options' keys with `_`; `null` means not given."""
    values: dict[str, tuple[str, ...]] = {}
    complaints: list[Complaint] = []
    for key, given in data.items():
        option = BY_KEY.get(key)
        if option is None or given is None:
            continue
        words = _words_of(option, given)
        if words is None:
            complaints.append(about(option.name, f"`{key}` is of the wrong type: it takes {option.kind}"))
        elif words:
            values[option.name] = words
    known = BY_KEY.keys() | _ALREADY_OWN
    return Wish(values, tuple(complaints), tuple(sorted(key for key in data if key not in known)))


def _words_of(option: Option, given: object) -> tuple[str, ...] | None:
    """A JSON value as words; `None` if its type does not fit the option."""
    match given, option.kind:
        case bool(), Kind.FLAG:
            return (YES if given else NO,)
        case bool(), _:
            return None
        case str(), _:
            return (_flag(option, given),)
        case int(), Kind.NUMBER | Kind.ONE:
            return (str(given),)
        case list(), Kind.LIST | Kind.REPEATED if all(isinstance(one, str) for one in given):
            return tuple(map(str, given))
        case dict(), Kind.REPEATED if option.name == "env":
            pairs = [(name, value) for name, value in given.items() if isinstance(value, str)]
            return tuple(f"{name}={value}" for name, value in pairs) if len(pairs) == len(given) else None
        case _:
            return None


def request_of(wish: Wish) -> dict[str, object]:
    """The wish as an agent's request, from which `wish_from_request` makes the same wish again."""
    data: dict[str, object] = {}
    for option in OPTIONS:
        given = wish.values.get(option.name)
        if given is None:
            continue
        match option.kind:
            case Kind.LIST | Kind.REPEATED:
                data[option.key] = list(given)
            case Kind.FLAG if given[0] in (YES, NO):
                data[option.key] = given[0] == YES
            case _:
                data[option.key] = given[0]
    return data


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
