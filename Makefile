# make demo    the main job, end to end        make test       the tests, without the slow ones
# make lint    format, lint, types, layers     make test-slow  the slow tests, all random examples
# make clean   remove the environment          make test-all   every test
# make test-wheel      the wheel, installed into a bare environment and used there
# make test-other-cpu  the tests of numbers without AVX512, and without AVX2
# make web             the scripts and style sheets of the explorer, from web/src
# make vscode          the extension for VS Code, from editors/vscode
# make bench-pages     whether large pages stay quick, on an idle machine
# make pictures        the pictures of the explorer in docs/figures
# make docs            the documents as a site with search, in build/site
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

# The tests start hundreds of Python processes. Each would compile every file again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: docs web vscode pictures bench-pages demo test test-slow test-all test-other-cpu test-wheel lint format clean setup
.DEFAULT_GOAL := test

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,docs,cluster,plots,serve,notebook,lsp,shell]'
	@touch $@

demo: $(READY)
	$(BIN)/python examples/demo/demo.py

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow' $(PYTEST_ARGS)

test-slow: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'slow or hypothesis' --hypothesis-profile=full $(PYTEST_ARGS)

test-all: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile=full $(PYTEST_ARGS)

test-other-cpu: $(READY)
	$(BIN)/python tests/other_cpu.py $(PYTEST_ARGS)

test-wheel: $(READY)
	$(BIN)/python tests/wheel.py

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build *.egg-info

# Needs Node.js and npm. What it builds is in the repository: nothing else needs them.
web:
	cd web && npm ci --no-audit --no-fund && npm run check && npm run build

# Needs Node.js and npm; writes editors/vscode/tilewright-VERSION.vsix.
vscode:
	cd editors/vscode && npm ci --no-audit --no-fund && npm run package

# Needs Debian's Chromium, and an idle machine.
bench-pages: $(READY)
	$(BIN)/python -m pytest -n 0 -q -s --exact-bars -k "quick or less_than" tests/explorer

# Needs Debian's Chromium.
pictures: $(READY)
	$(BIN)/python web/pictures.py

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo 'open build/site/index.html'
