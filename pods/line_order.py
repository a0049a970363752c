"""Whether the lines of a provision could have been said: their order and what excludes what, as data."""

from pods.lines import Line, read

ORDER = (
    "PROVISION",
    "WAIT",
    "POD",
    "FENCE",
    "PREFLIGHT",
    "BRANCH",
    "BOOTSTRAP-OK",
    "BOOTSTRAP-FAILED",
    "BOOTSTRAP-FAILED-TERMINATED",
    "BOOTSTRAP-FAILED-KEPT",
    "BOOTSTRAP-FAILED-NOT-TERMINATED",
    "PROVISION-REFUSED",
    "PROVISION-ENDED",
    "SSH",
)
CLEAN_UP = frozenset(ORDER[8:11])
FINAL = frozenset({"BOOTSTRAP-OK", "BOOTSTRAP-FAILED", "PROVISION-REFUSED", "PROVISION-ENDED"})
NEEDS_ONE_BEFORE: dict[str, frozenset[str]] = {
    "WAIT": frozenset({"PROVISION"}),
    "POD": frozenset({"PROVISION"}),
    "FENCE": frozenset({"POD"}),
    "PREFLIGHT": frozenset({"POD"}),
    "BRANCH": frozenset({"PREFLIGHT"}),
    "BOOTSTRAP-OK": frozenset({"PREFLIGHT"}),
    "BOOTSTRAP-FAILED": frozenset({"POD"}),
    **dict.fromkeys(CLEAN_UP, frozenset({"BOOTSTRAP-FAILED"})),
    "PROVISION-REFUSED": frozenset({"PROVISION"}),
    "PROVISION-ENDED": frozenset({"PROVISION"}),
    "SSH": frozenset({"BOOTSTRAP-OK", "BOOTSTRAP-FAILED", "PROVISION-ENDED"}),
}
EXCLUDE: tuple[frozenset[str], ...] = (
    FINAL,
    CLEAN_UP,
    CLEAN_UP | {"SSH"},
    CLEAN_UP | {"PREFLIGHT"},
    frozenset({"POD", "PROVISION-REFUSED"}),
)
"""Of each of these sets at most one line may stand, `CLEAN_UP` counting as one."""


def faults_of(texts: list[str]) -> list[str]:
    """What is wrong with these lines of one attempt, in sentences; empty if they are legal."""
    lines = [read(text) for text in texts]
    faults = [f"`{text}` is no line" for text, line in zip(texts, lines, strict=True) if line is None]
    known = [line for line in lines if line is not None]
    tokens = [line.token for line in known]
    if sorted(tokens, key=ORDER.index) != tokens:
        faults.append(f"out of order: {', '.join(tokens)}")
    faults += [f"`{token}` stands twice" for token in set(tokens) if tokens.count(token) > 1]
    faults += [
        f"`{token}` without any of {', '.join(sorted(needed))} before it"
        for token in tokens
        if (needed := NEEDS_ONE_BEFORE.get(token, frozenset())) and not needed & set(tokens)
    ]
    faults += [
        f"{', '.join(sorted(both))} exclude each other"
        for excluded in EXCLUDE
        if len(both := excluded & set(tokens)) > 1
    ]
    return faults + _proof_faults(known)


def _proof_faults(lines: list[Line]) -> list[str]:
    """`BOOTSTRAP-OK` needs a preflight that passed and a branch that is right."""
    by_token = {line.token: line for line in lines}
    if "BOOTSTRAP-OK" not in by_token:
        return []
    checks = {"PREFLIGHT": {"PASS"}, "BRANCH": {"OK", "NOT-REQUESTED"}}
    return [
        f"BOOTSTRAP-OK over {token}: {by_token[token].word}"
        for token, fine in checks.items()
        if token in by_token and by_token[token].word not in fine
    ]
