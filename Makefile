# `make help` lists everything. Python 3.11, make and a package index are all that is needed.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help demo test test-browser check fix bench docs clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The base install: what solving needs (no torch).
$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

# Everything: torch first and pinned, so that no other package pulls its CUDA build.
$(STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[all]'
	@touch $@ $(VENV)/.base

demo: $(VENV)/.base ## set up and watch a crossword being solved
	$(BIN)/crossword demo

test: $(STAMP) check ## set up and run every test
	$(BIN)/python -m pytest -n 2

check: $(STAMP) ## lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: $(STAMP) ## format, and repair what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The page's tests need a browser, a driver for it, and axe-core: none of them is the project's.
$(VENV)/.browser: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[serve,dev,browser]'
	npm install --silent --no-audit --no-fund --prefix $(VENV)/axe axe-core@4
	@touch $@

test-browser: $(VENV)/.browser ## test the page in Chromium (installed from Debian where absent)
	@command -v chromium >/dev/null || \
		(sudo=$$(command -v sudo); $$sudo apt-get update && $$sudo apt-get install -y --no-install-recommends chromium)
	$(BIN)/python -m pytest tests/browser -m browser

bench: $(STAMP) ## what each step of the solver is worth, on the corpora beside the project
	$(BIN)/python -m benchmarks.solver_ablation ../shared/corpora/nyt-1993-2023.ipuz.jsonl.gz \
		--out benchmarks/results/solver-ablation.json

docs: $(STAMP) ## check that what the documentation says still runs
	$(BIN)/python -m pytest tests/test_readme.py tests/test_tutorials.py

clean: ## remove caches and the environment
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
