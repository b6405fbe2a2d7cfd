# What you can do here. Needs Python 3.11 or newer, make and a C compiler; everything else is
# installed into .venv (Python packages) and the user's cache folder (Lean, index).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TORCH := $(shell grep '^torch==' constraints.txt)
PYTEST := $(BIN)/python -m pytest
DEMO_PROBLEMS := docs/demo/problems.jsonl

.PHONY: help setup lean index demo test check bench soak constraints clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):[^#]*## /\1|/' | \
		while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: $(READY) ## make .venv and install the product into it

# torch first and alone: where the machine already offers a build for its own processor, that one
# is taken, and the rest is then resolved around it.
$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -c constraints.txt "$(TORCH)"
	$(BIN)/python -m pip install -c constraints.txt -e ".[all,test]"
	@touch $(READY)

lean: $(READY) ## install the embedded Lean toolchain, where it is missing
	@$(BIN)/ragsolver lean install

index: lean ## build the index of Lean's own declarations, where it is missing
	@$(BIN)/ragsolver index build

# Among the shipped problems one is false, one is in words only and one line is broken, so `solve`
# ends with 1: everything ended, not everything is proved. Anything else is an error.
demo: index ## solve the shipped problems with six workers and print the report
	@$(BIN)/ragsolver solve $(DEMO_PROBLEMS) --config full; test $$? -eq 1

# Two processes, a file of tests to either: most of the time is waiting for processes and clocks.
test: index ## all tests but the house rules, on real parts
	@$(PYTEST) --ignore=tests/meta -n 2 --dist loadfile

check: $(READY) ## lint, format, types, import directions, schemas, house rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/ragsolver schemas check
	$(PYTEST) tests/meta

bench: index ## measure and print tables; the last one judges ten thousand candidates
	@for script in tests/bench/bench_*.py; do \
		echo "== $$script"; $(BIN)/python "$$script" || exit 1; done
	@echo "== tests/bench/soak_lean.py"; $(BIN)/python tests/bench/soak_lean.py

# A quarter of an hour and more. SOAK=--runs=20 for less of the first.
soak: $(READY) ## kill workers and servers at every stage, and say what was lost: nothing
	@$(BIN)/python tests/bench/soak_bus.py $(SOAK)
	@$(BIN)/python tests/bench/soak_bus.py --cluster --runs 10

constraints: $(READY) ## rewrite constraints.txt from what is installed
	@$(BIN)/python -m pip freeze --exclude-editable | grep -E '^[A-Za-z0-9_.-]+==' | \
		sed -E 's/\+[a-z0-9.]+$$//' | sort -f > constraints.txt

clean: ## remove what was built here; the caches in the home folder stay
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
