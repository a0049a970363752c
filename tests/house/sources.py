"""The project's own modules, as paths from its root."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("bot", "jobs", "storage", "pods", "gateways", "simulator")


def modules_of(*packages: str) -> list[str]:
    """Return the modules of these packages but the migrations, which are records and not prose."""
    found = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return [str(path.relative_to(ROOT)) for path in found if "migrations" not in path.parts]


def source_of(module: str) -> str:
    """Return the text of a module that `modules_of` named."""
    return (ROOT / module).read_text(encoding="utf-8")
