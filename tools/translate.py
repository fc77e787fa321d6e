"""`fusir-translate`: from PyTorch to the tensor level.

    fusir-translate --import model.py:fn -o fn.mlir

loads `model.py`, calls its `example_inputs()` for the arguments, traces `fn` with them and writes the module. `fn` is a
function, a `torch.nn.Module`, or a class of modules that is made without arguments.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from typing_extensions import override

from fusir.tools.user_error import UserError

PROGRAM = "fusir-translate"
INPUTS_FUNCTION = "example_inputs"


class _ArgumentParser(argparse.ArgumentParser):
    @override
    def error(self, message: str) -> NoReturn:
        raise UserError(message, PROGRAM)


def import_graph(path: Path, name: str) -> str:
    """The tensor-level text of the function or module `name` of the Python file at `path`.

    Raises `UserError` if the file cannot be loaded, lacks the name or `example_inputs`, or holds no program that can be
    traced.
    """
    source = _load(path)
    for needed in (name, INPUTS_FUNCTION):
        if not callable(getattr(source, needed, None)):
            raise UserError(f"no function or module '{needed}' in this file", f"{path}:1:1")
    import fusir

    program, inputs = getattr(source, name), getattr(source, INPUTS_FUNCTION)
    if isinstance(program, type):
        program = program()
    try:
        return str(fusir.trace(program, *inputs()))
    except fusir.FusirError as error:
        raise UserError(str(error), f"{path}:1:1") from error


def _load(path: Path) -> ModuleType:
    """The module of a Python file. Whatever its code raises is the user's mistake, at the line that raised it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UserError("not a Python file", f"{path}:1:1")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise UserError(error.msg, f"{path}:{error.lineno}:{error.offset}") from error
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        raise UserError(f"{type(error).__name__}: {error}", f"{path}:{lines[-1] if lines else 1}:1") from error
    return module


def run(args: Sequence[str]) -> None:
    """Carry out a command line. Raises `UserError`."""
    parser = _ArgumentParser(prog=PROGRAM, description="Translate a PyTorch program to the tensor level.")
    parser.add_argument("--import", dest="program", metavar="FILE:NAME", required=True, help="what to import")
    parser.add_argument("-o", "--output-file", type=Path, help="where to write the module (default: standard output)")
    options = parser.parse_args(args)
    file, colon, name = options.program.rpartition(":")
    if not colon:
        raise UserError(f"--import takes FILE:NAME, not '{options.program}'", PROGRAM)
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
