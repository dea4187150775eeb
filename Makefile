# Everything a newcomer needs is one word after `make`; `make help` lists the words.
SHELL := /bin/bash
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
UV_VERSION := 0.13.9
export DYNABENCH_HOME ?= $(CURDIR)/.dynabench
export DYNABENCH_REAL_DATA ?= $(CURDIR)/../shared/data
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help install page dist run demo check test test-real test-attack test-extras study bench format generate clean

help: ## list what make can do
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(UV):
	@$(PY) -m venv $(VENV) 2>/dev/null \
	  || { rm -rf $(VENV); $(PY) -m pip --version >/dev/null 2>&1 && $(PY) -m pip install --quiet --user virtualenv && $(PY) -m virtualenv --quiet $(VENV); } 2>/dev/null \
	  || { command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq python3-venv && rm -rf $(VENV) && $(PY) -m venv $(VENV); } \
	  || { echo "Python's venv module is missing. Install it (Debian: apt-get install python3-venv) and run make again."; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

install: $(VENV)/.installed ## the environment in .venv (server, checks, tests)

$(VENV)/.installed: requirements.lock pyproject.toml | $(UV)
	@echo "Installing the environment …"
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

page: install ## build the page, if its sources changed
	@$(BIN)/python build_page.py

dist: page ## wheels of the platform and of the client alone, in dist/
	@rm -rf dist
	@$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist .
	@$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist packaging/client
	@ls dist/*.whl

run: page ## start everything on http://127.0.0.1:8000
	@$(BIN)/dynabench up

demo: page ## play the whole loop through the API (JSON=FILE writes the numbers and exits; SEED=n)
	@$(BIN)/python -m dynabench.app.demo $(if $(JSON),--json $(JSON)) $(if $(SEED),--seed $(SEED))

check: page ## format, lint, types, import contracts, fresh generated files
	@$(BIN)/python tools/check.py

test: ## make check, then every test: Python, page, browser
	@$(MAKE) --no-print-directory check
	@$(BIN)/python tools/test_all.py

test-real: install ## tests on the real sets under DYNABENCH_REAL_DATA
	@$(BIN)/python tools/test_real.py

test-attack: install ## attacks on a running server that take longer than ordinary tests
	@$(BIN)/python -m pytest tests/attack -m attack -q

test-extras: install ## tests of the heavy extras, in an environment of their own
	@$(BIN)/python tools/test_extras.py

study: install ## play rounds from real data against a control, and write docs/studies (SEEDS=n, ONLY=hate)
	@$(BIN)/dynabench study $(ONLY) --out docs/studies --seeds $(or $(SEEDS),5)

bench: page ## measure against the figures that were promised (ONLY=20000 for the small set, ONLY=tasks, or a name such as perturbing, boards, scoring)
	@$(BIN)/python -m benchmarks $(if $(filter tasks,$(ONLY)),--tasks,$(if $(ONLY),--only $(ONLY)))

format: install ## format and fix what can be fixed
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .
	@cd frontend && npx prettier --write --log-level warn .

generate: install ## write the OpenAPI document and the page's types anew
	@$(BIN)/python tools/generate.py
	@$(BIN)/python tools/reference.py

requirements.lock: pyproject.toml build-requirements.txt | $(UV)
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --extra server --extra sp-bleu --extra onnx --extra s3 --extra reports --extra study --group dev \
	  pyproject.toml build-requirements.txt -o requirements.lock

clean: ## remove what was built and installed here, not your data
	@rm -rf $(VENV) frontend/node_modules dynabench/ui/dist .mypy_cache .ruff_cache .pytest_cache
