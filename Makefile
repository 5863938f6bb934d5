# On a machine with Python 3.11 to 3.13 and nothing else, `make` installs everything and `make test` runs the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
CORE := .venv-core
# MoviePy asks for a Pillow before 12 and works with the one in the lock, so it comes without its dependencies.
MOVIEPY := moviepy==2.2.1
# One process more than cores, because many tests wait for processes of their own; at most four, with 2 GB for each.
TESTERS = $(shell $(PYTHON) -c 'import os; print(min(4, (os.cpu_count() or 1) + 1))')

# The tests start many processes, and pytest rewrites every assertion: what was compiled once is kept.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := install
.PHONY: install help train reproduce test check core mutants format bench play demo sprites lock clean

install: $(INSTALLED)  ## Install everything into a virtual environment, .venv (the default)

help:  ## Show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 20

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	  || { echo "xworld needs Python 3.11, 3.12 or 3.13: run PYTHON=python3.12 make ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(MOVIEPY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(INSTALLED)  ## Talk to a trained agent on a page in the browser (ARGS="--port 0 --no-browser")
	$(BIN)/xworld demo $(ARGS)

train: $(INSTALLED)  ## Train an agent on this machine, and test it (ARGS="tiny --seed 1")
	$(BIN)/xworld train $(ARGS)

play: $(INSTALLED)  ## Take the agent's place in the terminal
	$(BIN)/xworld play $(ARGS)

reproduce: $(INSTALLED)  ## Train and test everything in the paper's Table 1, and write the report (ARGS="--seeds 0")
	$(BIN)/xworld reproduce $(ARGS)

bench: $(INSTALLED)  ## Measure speed: the environment beside MiniGrid, the agent beside the paper's dense network
	$(BIN)/xworld bench env
	$(BIN)/xworld bench agent

# The tests of a file stay together, in order.
test: $(INSTALLED) check  ## Check style, types and imports, and run all tests
	$(BIN)/python -m pytest --numprocesses $(TESTERS) --dist loadfile --no-loadscope-reorder

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy

core: $(INSTALLED)  ## Install the environments alone into a virtual environment of their own, and try them there
	$(PYTHON) -m venv --clear $(CORE)
	$(CORE)/bin/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock .
	$(CORE)/bin/python tools/check_core.py

mutants: $(INSTALLED)  ## Change the core in random places, and see whether the tests notice (ARGS="--count 30")
	$(BIN)/python tools/mutants.py $(ARGS)

format: $(INSTALLED)  ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

sprites: $(INSTALLED)  ## Render the icons from their SVG files
	$(BIN)/python tools/draw_sprites.py

lock: $(INSTALLED)  ## Write the installed versions to requirements.lock
	$(BIN)/python tools/lock.py

clean:  ## Remove the virtual environments and all caches
	rm -rf $(VENV) $(CORE) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
