# On a machine with Python 3.11 to 3.13 and nothing else, `make test` sets everything up and runs the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup train reproduce test check format bench play demo sprites lock clean

help:  ## Show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: $(INSTALLED)  ## Make a virtual environment in .venv with everything in it

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	  || { echo "Python 3.11, 3.12 or 3.13 is needed; name one with PYTHON=python3.12 make ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

train: $(INSTALLED)  ## Train an agent on this machine, and test it (ARGS="tiny --seed 1")
	$(BIN)/xworld train $(ARGS)

reproduce: $(INSTALLED)  ## Train and test all that is in the paper's Table 1, and report (ARGS="--seeds 0")
	$(BIN)/xworld reproduce $(ARGS)

# On all cores up to four, with 2 GB for each: a file's tests stay together, in order. A plain `pytest` runs one by one.
test: $(INSTALLED) check  ## Check style and types, and run all tests
	$(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(INSTALLED)  ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(INSTALLED)  ## Measure speed: the world beside MiniGrid, the agent beside the paper's dense network
	$(BIN)/xworld bench env
	$(BIN)/xworld bench agent

play: $(INSTALLED)  ## Take the agent's place in the terminal
	$(BIN)/xworld play

demo: $(INSTALLED)  ## Meet the agent on a page in the browser (ARGS="--port 0 --no-browser")
	$(BIN)/xworld demo $(ARGS)

sprites: $(INSTALLED)  ## Draw the pictures anew from the SVG files
	$(BIN)/python tools/draw_sprites.py

lock: $(INSTALLED)  ## Write the versions that are installed to requirements.lock
	$(BIN)/python tools/lock.py

clean:  ## Remove the virtual environment and all caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
