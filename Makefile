# Each target makes what it needs, the virtual environment included.
#   make demo    one program through all levels, and its result
#   make test    the test suite
#   make lint    formatting, lint and types
#   make dist    source archive and wheel

PYTHON ?= python3
VENV ?= .venv
TORCH_CPU_INDEX ?= https://download.pytorch.org/whl/cpu
CONSTRAINTS ?= $(if $(shell command -v nvidia-smi),constraints.txt,constraints-cpu.txt)
LIT_ARGS ?= -v

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# The package index of this machine is asked first; PyTorch's own has the CPU build where that one does not.
INSTALL := $(BIN)/python -m pip install --quiet -c $(CONSTRAINTS)

.PHONY: demo test lint dist clean

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py

test: $(INSTALLED)
	$(BIN)/lit $(LIT_ARGS) test

lint: $(INSTALLED)
	$(INSTALL) -e '.[dev]'
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python

dist: $(INSTALLED)
	$(INSTALL) build
	$(BIN)/python -m build --outdir dist .

$(INSTALLED): pyproject.toml constraints.txt constraints-cpu.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[test]' || $(INSTALL) --extra-index-url $(TORCH_CPU_INDEX) -e '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info test/Output
