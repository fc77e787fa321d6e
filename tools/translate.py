"""`fusir-translate`: from PyTorch to the tensor level.

    fusir-translate --import model.py:fn -o fn.mlir

imports `fn` of `model.py`, calls the file's `example_inputs()` for its arguments, traces it and writes the module.
`fn` may be a function, a `torch.nn.Module`, or a function without parameters that returns a module if its name begins
with `make_`.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from typing_extensions import override

INPUTS_FUNCTION = "example_inputs"


class UserError(Exception):
    """A mistake of the user, told in one line."""


class _ArgumentParser(argparse.ArgumentParser):
    @override
    def error(self, message: str) -> NoReturn:
        raise UserError(f"fusir-translate: error: {message}")


def import_graph(path: Path, name: str) -> str:
    """The tensor-level text of the function or module `name` of the Python file at `path`.

    Raises `UserError` if the file, the name or its `example_inputs` is missing.
    """
    source = _load(path)
    if not hasattr(source, name):
        raise UserError(f"{path}:1:1: error: no '{name}' in this file")
    if not hasattr(source, INPUTS_FUNCTION):
        raise UserError(f"{path}:1:1: error: no function {INPUTS_FUNCTION}() that returns the arguments of '{name}'")
    import fusir

    program = getattr(source, name)
    if name.startswith("make_"):
        program = program()
    return str(fusir.trace(program, *getattr(source, INPUTS_FUNCTION)()))


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UserError(f"{path}:1:1: error: not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise UserError(f"{path}:{error.lineno}:{error.offset}: error: {error.msg}") from error
    return module


def run(args: Sequence[str]) -> None:
    """Carry out a command line. Raises `UserError`."""
    parser = _ArgumentParser(prog="fusir-translate", description="Translate a PyTorch program to the tensor level.")
    parser.add_argument("--import", dest="program", metavar="FILE:NAME", required=True, help="what to import")
    parser.add_argument("-o", "--output-file", type=Path, help="where to write the module (default: standard output)")
    options = parser.parse_args(args)
    file, colon, name = options.program.rpartition(":")
    if not colon:
        raise UserError(f"fusir-translate: error: --import takes FILE:NAME, not '{options.program}'")
    text = import_graph(Path(file), name) + "\n"
    if options.output_file is None:
        sys.stdout.write(text)
    else:
        options.output_file.write_text(text)


def main() -> None:
    """The console script."""
    try:
        run(sys.argv[1:])
    except UserError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{error.filename}:1:1: error: {error.strerror}")


if __name__ == "__main__":
    main()
