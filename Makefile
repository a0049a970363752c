# Everything a newcomer types. Needed: Python >= 3.11 with venv, make, git.
#   make demo [ONCE=1]   make test   make check   make bench [ONLY=name]   make soak   make lock [UPGRADE=1]

PYTHON ?= python3
# Half of what a test takes it waits for something outside: twice as many at once as there are cores.
WORKERS ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
LOCKED := --require-hashes --no-deps --only-binary :all:

.DEFAULT_GOAL := help
.PHONY: help demo test check bench soak lock
.DELETE_ON_ERROR:

help:
	@sed -n '2s/^# *//p' $(MAKEFILE_LIST) | sed 's/   */\n/g'

demo: $(VENV)/project
	$(BIN)/podkeeper demo $(if $(ONCE),--once)

test: check
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal -rs

check: $(VENV)/development
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(VENV)/development
	$(BIN)/python -m benchmarks $(ONLY)

soak: $(VENV)/development
	$(BIN)/python -c 'import sys; from benchmarks.soak import main; sys.exit(main())'

# The second file takes the versions of the first, so that a run-time package never has two.
lock: $(VENV)/development
	$(BIN)/uv pip compile $(LOCK_FLAGS) --group build --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK_FLAGS) --group dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

LOCK_FLAGS := --quiet --universal --python-version 3.11 --generate-hashes --only-binary :all: \
  --no-header --no-emit-index-url $(if $(UPGRADE),--upgrade)

# The environment, in three layers, each with a stamp: the run-time set, the project itself, the tools.
$(VENV)/runtime: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Podkeeper needs Python 3.11 or newer. '$(PYTHON) --version' says:" \
	    "$$($(PYTHON) --version 2>&1 | tail -1). Name another: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' has no venv with pip (on Debian and Ubuntu: the package python3-venv)." \
	    "Install it, or name another: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Setting up $(VENV), once: a minute or two."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP_INSTALL) $(LOCKED) --requirement requirements.lock
	@touch $@

$(VENV)/project: $(VENV)/runtime pyproject.toml
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q bot gateways jobs pods simulator storage
	@touch $@

$(VENV)/development: $(VENV)/project requirements-dev.lock
	@$(PIP_INSTALL) $(LOCKED) --requirement requirements-dev.lock
	@touch $@
