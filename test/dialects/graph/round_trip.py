# RUN: %python %s
"""Every graph of the corpus prints and parses to itself, in the custom and in the generic form."""

from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from fusir.tools.registry import make_context

CORPUS = Path(__file__).parents[2] / "corpus"


def text(module: ModuleOp, generic: bool) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def parse(source: str) -> ModuleOp:
    module = Parser(make_context(), source).parse_module()
    module.verify()
    return module


paths = sorted(CORPUS.glob("*/*.mlir"))
assert len(paths) >= 150, f"the corpus has only {len(paths)} graphs"
for path in paths:
    module = parse(path.read_text())
    custom = text(module, False)
    for generic in (False, True):
        assert text(parse(text(module, generic)), False) == custom, f"{path.name} does not round-trip, {generic=}"
