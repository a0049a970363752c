"""`python -m benchmarks [NAME]`: run the benchmark of that name, or all of them, one line for each."""

import sys
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main(only: list[str]) -> int:
    """Every module here that has a `run` is a benchmark. Returns the exit code: 2 for a name that is none."""
    modules = {module.name for module in iter_modules(benchmarks.__path__)} - {"__main__"}
    unknown = [name for name in only if name not in modules]
    if unknown:
        sys.stderr.write(f"There is no benchmark {unknown[0]}; there are: {', '.join(sorted(modules))}\n")
        return 2
    for name in only or sorted(modules):
        run = getattr(import_module(f"benchmarks.{name}"), "run", None)
        if run is not None:
            print(run(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
