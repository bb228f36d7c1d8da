# Needs python3 >= 3.11 with venv, and make. `make help` lists the targets.
PYTHON3 ?= python3
PY := .venv/bin/python
MINUTES ?= 30
PORT ?= 8000
PARTS ?=

.PHONY: help run test build wheel soak bench train docs format lock clean setup
.DEFAULT_GOAL := help

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1@/p' $(MAKEFILE_LIST) | column -t -s @ 2>/dev/null \
	    || sed -n 's/^\([a-z]*\):.*## /  make \1  /p' $(MAKEFILE_LIST)

run: build  ## serve the site on this machine (PORT=8000) and say which address to open
	@.venv/bin/openplan serve --port $(PORT)

test:  ## everything that must hold (PARTS="lint types" for some of it)
	@$(PYTHON3) scripts/setup.py test
	@$(PY) scripts/check.py $(PARTS)

build: setup  ## compile the kernels and build the web client into build/
	@$(PY) scripts/build.py
	@$(PY) scripts/web.py

wheel: build  ## a wheel in dist/ with the compiled kernels and the built site inside
	@$(PY) scripts/package.py

soak:  ## the long proofs, from where they stopped last time (MINUTES=30)
	@$(PYTHON3) scripts/setup.py test
	@$(PY) scripts/build.py
	@$(PY) tests/soak.py --minutes $(MINUTES)

bench:  ## our engine and environments beside others, the server beside boardgame.io and a bare echo, our pages by Lighthouse, what printing costs
	@$(PYTHON3) scripts/setup.py bench
	@.venv-bench/bin/python scripts/build.py
	@.venv-bench/bin/python benchmarks/engines.py
	@.venv-bench/bin/python benchmarks/envs.py
	@$(PYTHON3) scripts/setup.py test
	@$(PY) benchmarks/server.py
	@$(PY) benchmarks/pages.py
	@$(PY) benchmarks/printing.py

train:  ## the checks that OpenSpiel, Stable-Baselines3 and PyTorch bring, and a short run of examples/train.py
	@$(PYTHON3) scripts/setup.py train
	@.venv-train/bin/python scripts/build.py
	@.venv-train/bin/python -m pytest -q tests/train/check_*.py

docs: setup  ## write docs/reference/ from the games, their cases and the command's help
	@$(PY) scripts/docs.py

format:  ## put the sources into the agreed form
	@$(PYTHON3) scripts/setup.py test
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format --quiet .

# No index addresses in the locks: they must work with whatever index a machine is set up for.
COMPILE := UV_SYSTEM_CERTS=1 ../$(PY) -m uv pip compile --quiet --generate-hashes --no-emit-index-url \
    --no-emit-find-links --universal --python-version 3.11 --custom-compile-command "make lock" $(UPGRADE)

lock: setup  ## write the locks from requirements/*.in (UPGRADE=--upgrade for newer versions)
	@cd requirements && $(COMPILE) uv.in -o uv.txt
	@cd requirements && $(COMPILE) run.in -o run.txt
	@cd requirements && $(COMPILE) -c run.txt test.in -o test.txt
	@cd requirements && $(COMPILE) -c run.txt bench.in -o bench.txt
	@cd requirements && $(COMPILE) -c run.txt ray.in -o ray.txt
	@cd requirements && $(COMPILE) -c run.txt train.in -o train.txt

clean:  ## remove what was built and installed
	rm -rf .venv .venv-bench .venv-train build dist web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests benchmarks scripts -name __pycache__ -type d -prune -exec rm -rf {} +

setup:
	@$(PYTHON3) scripts/setup.py run
