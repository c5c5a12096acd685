# `make setup` makes a virtual environment in .venv; without one, the tools on PATH are used.

PYTHON ?= python3
VENV := $(CURDIR)/.venv
BIN := $(if $(wildcard $(VENV)/bin/python),$(VENV)/bin/,)
PY := $(if $(BIN),$(BIN)python,$(PYTHON))
JOBS ?= 2

.PHONY: setup test lint format bench campaign docs packaging clean

setup:
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'

# pytest runs the lit suite as well.
test:
	$(PY) -m pytest -n $(JOBS)

lint:
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m pyright --pythonpath "$$($(PY) -c 'import sys; print(sys.executable)')"

format:
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

bench:
	$(PY) benchmarks/run.py

# The property tests for hours instead of seconds: EXAMPLES cases of each family.
EXAMPLES ?= 10000
SEED ?= 1
campaign:
	$(PY) tests/property/campaign.py --examples $(EXAMPLES) --jobs $(JOBS) --seed $(SEED)

docs:
	$(PY) -m spatial_dialect.tools.make_docs

# Both ways of installing, each in an environment of its own.
packaging:
	$(PY) tests/packaging/check_install.py

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
