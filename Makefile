# Everything a newcomer needs is one word after `make`. `make help` lists the words.
SHELL := /bin/bash
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
UV_VERSION := 0.13.9

.PHONY: help install
help: ## list what make can do
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(VENV)/.installed ## the environment in .venv (server, tests, page)

$(UV):
	$(PY) -m venv $(VENV) || (command -v apt-get >/dev/null && apt-get update && apt-get install -y python3-venv && $(PY) -m venv $(VENV))
	$(BIN)/python -m pip install --quiet uv==$(UV_VERSION)

$(VENV)/.installed: requirements.lock pyproject.toml | $(UV)
	$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@

requirements.lock: pyproject.toml | $(UV)
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --all-extras --group dev pyproject.toml build-requirements.txt -o requirements.lock
