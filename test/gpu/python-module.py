# RUN: %python %s %t.py
# REQUIRES: cuda
"""The module that `-t python` prints runs on a GPU as a program of its own, without fusir."""

import subprocess
import sys
from pathlib import Path

import torch
from xdsl.parser import Parser

from fusir.interpreters.graph import interpret
from fusir.pipeline import run_pipeline
from fusir.targets.python import python_module
from fusir.tools.registry import make_context

GRAPH = """
func.func @main(%x: tensor<300x70xbf16>, %w: tensor<70x64xbf16>, %b: tensor<64xbf16>)
    -> (tensor<300x64xbf16>, tensor<300xi64>) {
  %m = graph.contract %x, %w batch [], [] contract [1], [0]
      : (tensor<300x70xbf16>, tensor<70x64xbf16>) -> tensor<300x64xbf16>
  %bb = graph.broadcast %b dims [1] : tensor<64xbf16> -> tensor<300x64xbf16>
  %y = graph.add %m, %bb : tensor<300x64xbf16>
  %s = graph.sigmoid %y : tensor<300x64xbf16>
  %i = graph.reduce argmax %x dims [1] : tensor<300x70xbf16> -> tensor<300xi64>
  return %s, %i : tensor<300x64xbf16>, tensor<300xi64>
}
"""

path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("program.py")
context = make_context()
module = Parser(context, GRAPH).parse_module()
lowered = module.clone()
run_pipeline(context, lowered)
path.write_text(python_module(lowered))

ran = subprocess.run([sys.executable, "-P", str(path)], capture_output=True, text=True, check=False)
assert ran.returncode == 0, ran.stderr
assert ran.stdout.startswith("result 0: torch.bfloat16 (300, 64) sum "), ran.stdout

namespace: dict[str, object] = {"__name__": "program"}
exec(compile(path.read_text(), str(path), "exec"), namespace)
inputs = namespace["random_inputs"](torch.device("cuda"))  # pyright: ignore
results = namespace["call"](list(inputs))  # pyright: ignore
for got, want in zip(results, interpret(module, [x.cpu() for x in inputs]), strict=True):
    torch.testing.assert_close(got.cpu(), want, rtol=2e-2, atol=2e-2)
