"""What the pure core may not do, read off its source: reach outside, ask the time, throw dice."""

import ast
from collections.abc import Iterator

ALLOWED_MODULES = frozenset(
    [
        "__future__",
        "abc",
        "base64",
        "bisect",
        "calendar",
        "collections",
        "copy",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "hmac",
        "html",
        "ipaddress",
        "itertools",
        "json",
        "math",
        "operator",
        "pods",
        "pydantic",
        "re",
        "shlex",
        "statistics",
        "string",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
        "urllib.parse",
        "zoneinfo",
    ]
)
CLOCK_READINGS = frozenset({"now", "utcnow", "today"})
FORBIDDEN_BUILTINS = frozenset(
    {"open", "input", "print", "exec", "eval", "compile", "breakpoint", "__import__"}
)


def impurities(source: str) -> list[str]:
    """Return one line for each thing in this module's source that the pure core may not do."""
    return [
        f"line {line}: {what}" for node in ast.walk(ast.parse(source)) for line, what in _impurities_of(node)
    ]


def _impurities_of(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Import(names=names):
            yield from ((node.lineno, f"imports {name.name}") for name in names if not _allowed(name.name))
        case ast.ImportFrom(level=0, module=str(module), names=names):
            full = (f"{module}.{name.name}" for name in names)
            yield from ((node.lineno, f"imports {name}") for name in full if not _allowed(name))
        case ast.Attribute(value=value, attr=attr) if attr in CLOCK_READINGS and _is_date_type(value):
            yield node.lineno, f"takes the time from {ast.unparse(node)}"
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CLOCK_READINGS:
            if not _is_date_type(value):
                yield node.lineno, f"asks a clock: {ast.unparse(node)}"
        case ast.Name(id=name) if name in FORBIDDEN_BUILTINS:
            yield node.lineno, f"uses {name}"


def _is_date_type(value: ast.expr) -> bool:
    match value:
        case ast.Name(id="datetime" | "date") | ast.Attribute(attr="datetime" | "date"):
            return True
        case _:
            return False


def _allowed(module: str) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:length]) in ALLOWED_MODULES for length in range(1, len(parts) + 1))
