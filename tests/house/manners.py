"""What a module of this project looks like: short, explained, and named for what it is."""

import ast
import re
from pathlib import PurePath

MAX_LINES = 300
SKIP = re.compile(r"pytest\.(skip|importorskip|mark\.skip|mark\.skipif)")
EMPTY_NAME = re.compile(r"manager|helper|util", re.IGNORECASE)


def faults(module: str, source: str) -> list[str]:
    """Return one sentence for each way in which this module breaks the house's manners."""
    tree = ast.parse(source)
    names = [*PurePath(module).with_suffix("").parts]
    names += [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = [f"{name} does not say what it is" for name in names if EMPTY_NAME.search(name)]
    if ast.get_docstring(tree) is None:
        found.append("has no docstring")
    if (lines := len(source.splitlines())) > MAX_LINES:
        found.append(f"has {lines} lines and is asking to be two")
    return found


def own_skips(source: str) -> list[str]:
    """Return each place where a test decides by itself to be skipped, so that CI could not insist on it."""
    used = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    return [f"line {node.lineno}: {name}" for node in used if SKIP.fullmatch(name := ast.unparse(node))]
