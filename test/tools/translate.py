# RUN: %python %s
"""`fusir-translate --import` of functions and modules, and its errors."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from fusir.tools.translate import run
from fusir.tools.user_error import UserError

MODEL = """
import torch

def example_inputs():
    return (torch.randn(4, 8),)

def program(x):
    return (x * 2).sum(-1) + 1

def data_dependent(x):
    return x * 2 if x.sum() > 0 else x

class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(8, 3)

    def forward(self, x):
        return self.inner(x)

linear = Linear()
number = 3
"""


def translate(folder: Path, text: str, name: str, *more: str) -> str:
    """What the tool writes, or its error with the file called `model.py`."""
    path = folder / "model.py"
    path.write_text(text)
    output = StringIO()
    with redirect_stdout(output):
        try:
            run(["--import", f"{path}:{name}", *more])
        except UserError as error:
            return str(error).replace(str(path), "model.py")
    return output.getvalue()


with TemporaryDirectory() as work:
    folder = Path(work)
    text = translate(folder, MODEL, "program")
    assert "graph.reduce sum" in text and "func.func @main(%x: tensor<4x8xf32>" in text, text

    for name in ("linear", "Linear"):
        text = translate(folder, MODEL, name)
        assert "graph.contract" in text and "graph.parameter" in text, text

    assert translate(folder, MODEL, "program", "-o", str(folder / "out.mlir")) == ""
    assert "graph.reduce sum" in (folder / "out.mlir").read_text()

    errors = {
        "missing": translate(folder, MODEL, "missing"),
        "number": translate(folder, MODEL, "number"),
        "data": translate(folder, MODEL, "data_dependent"),
        "inputs": translate(folder, "def f(x): return x\n", "f"),
        "syntax": translate(folder, "def f(x:\n", "f"),
        "raises": translate(folder, "a = 1\nb = a / 0\n", "f"),
    }
    starts = {
        "missing": "model.py:1:1: error: no function or module 'missing'",
        "number": "model.py:1:1: error: no function or module 'number'",
        "data": "model.py:1:1: error: ",
        "inputs": "model.py:1:1: error: no function or module 'example_inputs'",
        "syntax": "model.py:1:6: error: ",
        "raises": "model.py:2:1: error: ZeroDivisionError",
    }
    for name, start in starts.items():
        assert errors[name].startswith(start) and "\n" not in errors[name], (name, errors[name])
