# Two commands do everything: `make serve` and `make test`. Both install what is missing first.
# As root, system packages are installed; otherwise we say exactly which ones are needed.

VENV := .venv
PYTHON := $(VENV)/bin/python
DB ?= tidemark.db
PORT ?= 8000
N ?= 60

.PHONY: serve test setup check bench bench-live demo system-python system-tests

serve: setup
	$(VENV)/bin/tidemark serve --db $(DB) --port $(PORT)

test: setup system-tests $(VENV)/dev
	$(PYTHON) -m pytest

setup: $(VENV)/runtime

$(VENV)/runtime: pyproject.toml | system-python
	test -x $(PYTHON) || python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --editable .
	touch $@

$(VENV)/dev: pyproject.toml $(VENV)/runtime
	$(PYTHON) -m pip install --quiet "pip>=25.1"
	$(PYTHON) -m pip install --quiet --group dev
	touch $@

# Debian keeps venv in a package of its own.
system-python:
	@python3 -c 'import ensurepip' 2>/dev/null || sh tests/install.sh python3-venv

system-tests:
	@command -v chromium >/dev/null || sh tests/install.sh chromium
	@command -v tesseract >/dev/null || sh tests/install.sh tesseract-ocr

check: setup $(VENV)/dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

bench: setup $(VENV)/dev
	$(PYTHON) -m tests.bench

# Fifty tables of six phones for a minute; the figures of docs/live.md took SECONDS=600.
SECONDS ?= 60

bench-live: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_live --seconds $(SECONDS)

demo: setup
	$(VENV)/bin/tidemark demo --db $(DB) --games $(N)
