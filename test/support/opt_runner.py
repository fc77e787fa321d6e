"""Runs `fusir-opt` inside the test's own process: a fraction of the cost of a process for each case."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fusir.tools.opt import FusirOptMain
from fusir.tools.user_error import UserError


class Outcome(NamedTuple):
    output: str
    remarks: str
    error: str
    """The one-line error, with the file called `input.mlir`, or empty."""


def run_opt(text: str | bytes, *args: str) -> Outcome:
    """What `fusir-opt input.mlir <args>` writes for a file with this text."""
    data = text.encode() if isinstance(text, str) else text
    out, err = StringIO(), StringIO()
    with TemporaryDirectory() as folder:
        path = Path(folder, "input.mlir")
        path.write_bytes(data)
        error = ""
        with redirect_stdout(out), redirect_stderr(err):
            try:
                FusirOptMain([str(path), *args]).run()
            except UserError as user_error:
                error = str(user_error).replace(str(path), "input.mlir")
        return Outcome(out.getvalue(), err.getvalue(), error)
