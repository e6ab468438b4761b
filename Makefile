# Two commands do everything: `make serve` and `make test`. Both install what is missing first, in the versions of the
# lock. As root, system packages are installed; otherwise we say exactly which ones are needed.

VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip --quiet --disable-pip-version-check
DB ?= tidemark.db
PORT ?= 8000
N ?= 60

.PHONY: serve test test-postgres quick mutants check format setup lock words docs pictures bench bench-live bench-dying \
	bench-listeners bench-rolling bench-nodes bench-viewfinder attack sbom advisories compare demo system-python system-tests

serve: setup
	$(VENV)/bin/tidemark serve --db $(DB) --port $(PORT)

# Two at a time, each the tests of a file, so that what they share is made once; in the order of tests/conftest.py.
TOGETHER := -n 2 --dist loadfile --no-loadscope-reorder
# What Python and pytest compile is kept: the second part of the tests, and servers that tests start, begin sooner.
unexport PYTHONDONTWRITEBYTECODE

# What is quick comes first. On PostgreSQL one at a time: a second process would collect all the tests again.
test: check system-tests
	$(PYTHON) -m pytest $(TOGETHER)
	$(PYTHON) -m pytest --engine postgres -m "not either" tests/webapp

# Before every commit: within a minute, the tests of what has changed.
quick: check
	$(PYTHON) -m tests.touched

# How many small changes in the code the tests notice; MUTANTS takes the options of `python -m tests.mutants`.
MUTANTS ?=

mutants: setup $(VENV)/dev
	$(PYTHON) -m tests.mutants scorer $(MUTANTS)
	$(PYTHON) -m tests.mutants permissions $(MUTANTS)

# Every test of the pages with its database on a server; `make test` leaves out those that do not care where it lies.
test-postgres: check system-tests
	$(PYTHON) -m pytest $(TOGETHER) --engine postgres tests/webapp

SHEETS := $(wildcard webapp/static/*.css webapp/static/css/*.css scorer/games/*/page/*.css)
CSS := $(VENV)/bin/css-beautify --indent-size 2 --end-with-newline --preserve-newlines --space-around-combinator \
	--disable-newline-between-rules

check: setup $(VENV)/dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/djlint --lint --quiet templates scorer
	@for sheet in $(SHEETS); do $(CSS) $$sheet | diff -u $$sheet - || exit 1; done
	$(VENV)/bin/mypy
	$(PYTHON) -m tests.supply check

# Formats the code and the styles; templates are laid out by hand, in lines of at most 120 characters.
format: setup $(VENV)/dev
	$(VENV)/bin/ruff format .
	@for sheet in $(SHEETS); do $(CSS) --replace $$sheet >/dev/null; done

# The libraries of a server with their licences, as a table and, in the format CycloneDX, in build/sbom.json.
sbom: setup $(VENV)/dev
	$(PYTHON) -m tests.supply sbom build/sbom.json

# Renews the snapshot of advisories from a clone of github.com/pypa/advisory-database.
advisories: setup $(VENV)/dev
	$(PYTHON) -m tests.supply renew $(ADVISORIES)

setup: $(VENV)/runtime

$(VENV)/runtime: requirements.txt pyproject.toml | system-python
	test -x $(PYTHON) || python3 -m venv $(VENV)
	$(PIP) install --require-hashes --requirement requirements.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/dev: requirements-dev.txt $(VENV)/runtime
	$(PIP) install --require-hashes --requirement requirements-dev.txt
	touch $@

# Debian keeps venv in a package of its own.
system-python:
	@python3 -c 'import ensurepip' 2>/dev/null || sh tests/install.sh python3-venv

# What the tests call, and Debian's package of it.
TOOLS := chromium:chromium firefox-esr:firefox-esr WebKitWebDriver:webkit2gtk-driver Xvfb:xvfb tesseract:tesseract-ocr \
	pg_ctlcluster:postgresql /usr/sbin/pgbouncer:pgbouncer caddy:caddy systemd-analyze:systemd bwrap:bubblewrap

system-tests:
	@missing=$$(for tool in $(TOOLS); do command -v $${tool%:*} >/dev/null || echo $${tool#*:}; done); \
	test -z "$$missing" || sh tests/install.sh $$missing

# Renews the lock: the latest versions that pyproject.toml allows, for every platform, with the hashes of their files.
COMPILE = $(VENV)/bin/uv pip compile pyproject.toml --quiet --upgrade --universal --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

lock: setup
	$(PIP) install --group lock
	$(COMPILE) --group build --output-file requirements.txt
	$(COMPILE) --group build --extra postgres --constraint requirements.txt --output-file requirements-postgres.txt
	$(COMPILE) --group build --group dev --constraint requirements-postgres.txt --output-file requirements-dev.txt

# Collects the sentences of all pages, scripts and games, brings the catalogues of other languages up to date, compiles them.
words: setup
	$(PYTHON) -m webapp.translations.collect

# Builds the documentation as a site in build/site.
docs: setup $(VENV)/dev
	$(PYTHON) -m sphinx --quiet --fail-on-warning --keep-going --conf-dir docs --doctree-dir build/doctrees . build/site

# Makes the pictures of the documentation and of the README, in Chromium (about five minutes).
pictures: setup $(VENV)/dev
	$(PYTHON) -m tests.pictures

bench: setup $(VENV)/dev
	$(PYTHON) -m tests.bench

# Fifty tables of six phones for a minute; the figures of docs/developers/front-server.md took SECONDS=600.
SECONDS ?= 60

bench-live: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_live --seconds $(SECONDS)

# 24 phones that tap, while every two of them die in the middle of a tap and come back.
bench-dying: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_dying

# So many phones that listen to one server, and what each costs.
LISTENERS ?= 2000

bench-listeners: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_listeners --listeners $(LISTENERS)

# Phones that tap with and without viewfinders beside them.
bench-viewfinder: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_viewfinder

# Three servers on PostgreSQL behind Caddy, started anew one after another while people tap.
bench-rolling: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_rolling

# The same work for one server on a file, one on PostgreSQL, and three behind Caddy; STEP seconds for each part of it.
STEP ?= 10

bench-nodes: setup $(VENV)/dev
	$(PYTHON) -m tests.bench_nodes --seconds $(STEP)

# Strangers attack a bare server, one behind Caddy and three behind Caddy while phones play; ATTACK_S seconds for each
# attack. ATTACK takes the options of `python -m tests.attack`.
ATTACK_S ?= 30

attack: setup $(VENV)/dev system-tests
	$(PYTHON) -m tests.attack --seconds $(ATTACK_S) $(ATTACK)

# Version 0.7 against the code of today, in a worktree and an environment of its own (docs/developers/testing.md). Seeded;
# COMPARE_CASES names a folder with more records, COMPARE the options of `python -m tests.compare`.
COMPARE_N ?= 500
COMPARE_CASES ?=

compare: setup
	$(PYTHON) -m tests.compare --number $(COMPARE_N) $(if $(COMPARE_CASES),--cases $(COMPARE_CASES)) $(COMPARE)

demo: setup
	$(VENV)/bin/tidemark demo --db $(DB) --games $(N)
