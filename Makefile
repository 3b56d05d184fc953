# The whole interface of the repository. Each target first brings .venv to what it needs (tools/setup.py): minutes the
# first time, nothing to do later on; then tools/run.py does the rest.

# python3 if minigrad was tried with it, or else the newest such one that is there, or else a python3 that is newer still.
# Another one: make lab PYTHON=/path/to/python3
ifndef PYTHON
TRIED := 3.15 3.14 3.13 3.12 3.11 3.10
IN_TRIED := import sys; sys.exit("%d.%d" % sys.version_info[:2] not in "$(TRIED)".split())
IS_NEWER := import sys; sys.exit(sys.version_info[:2] < (3, 10))
PYTHON := $(shell for p in python3 $(TRIED:%=python%); do $$p -c '$(IN_TRIED)' 2>/dev/null && { echo $$p; exit; }; done; \
	python3 -c '$(IS_NEWER)' 2>/dev/null && echo python3)
endif

# The size of the lessons, small (default) or full: make lab SIZE=full
ifdef SIZE
export MINIGRAD_SIZE := $(SIZE)
endif
ifdef TORCH
export TORCH
endif

RUN = @$(or $(PYTHON),$(error minigrad needs Python 3.10 or newer and found none. Name one: make lab PYTHON=/path/to/python3)) tools/run.py

.DEFAULT_GOAL := help
.PHONY: help lab test test-browser test-processors mutants bench docs lint format notebooks install class update address

help: ## this list
	@echo "make TARGET, where TARGET is"
	@awk -F ': ##' '/^[a-z-]+: ##/ { printf "  %-17s%s\n", $$1, $$2 }' Makefile

lab: ## open the course in JupyterLab            [SIZE=full] [TORCH=none] [ARGS="--port=9000"]
	$(RUN) lab $(ARGS)

update: ## the newest course; what you wrote is kept
	$(RUN) update

test: ## style, types, tests, lessons  [QUICK=1: 3 minutes] [ALL=1: everything, as CI does] [ARGS="-k dual"]
	$(RUN) test $(if $(ALL),--all,$(if $(QUICK),--quick)) $(ARGS)

test-browser: ## only the tests in a real browser  [CHROMIUM=install: download one into .venv] [ARGS="-k lesson"]
	$(RUN) test-browser $(if $(filter install,$(CHROMIUM)),--install) $(ARGS)

test-processors: ## what computes, as if on other processors [ARGS="tests/test_scan.py"]
	$(RUN) test-processors $(ARGS)

mutants: ## changes of minigrad that no quick test notices; hours [ARGS="core 150"]
	$(RUN) mutants $(ARGS)

bench: ## minigrad beside PyTorch and JAX          [QUICK=1: under 3 minutes] [ARGS="--networks rnn --all-modes"]
	$(RUN) bench $(if $(QUICK),--quick) $(ARGS)

docs: ## this documentation as a site, in build/site   [SIZE=full] [ARGS=--no-lessons: in seconds]
	$(RUN) docs $(ARGS)

notebooks: ## build notebooks/, exercises/, solutions/ from sources/   [CHECK=1: only compare]
	$(RUN) notebooks $(if $(CHECK),--check) $(ARGS)

lint: ## style, format, sizes (budget.txt) and types only
	$(RUN) lint $(ARGS)

format: ## mend style and format
	$(RUN) format $(ARGS)

install: ## set up .venv and stop there
	$(RUN) install

address: ## write the project's addresses where they are shown   REPOSITORY=https://github.com/OWNER/NAME [SITE=...]
	@$(PYTHON) tools/address.py $(REPOSITORY) $(SITE)

class: ## add what grading a class needs, and look whether it is all there (docs/instructors.md)
	$(RUN) class
