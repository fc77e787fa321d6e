# RUN: env TRITON_INTERPRET=1 %python %s
# REQUIRES: triton
"""The module that `-t python` prints runs on its own, and gives what the graph says."""

import os
import tempfile
from pathlib import Path

import torch
from xdsl.parser import Parser

from fusir.interpreters.graph import interpret
from fusir.pipeline import run_pipeline
from fusir.targets.python import python_module
from fusir.tools.registry import make_context

assert os.environ["TRITON_INTERPRET"] == "1", "without a GPU Triton's interpreter runs the kernels"

GRAPH = """
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 4, max = 64, divisor = 4>},
    %x: tensor<?x16xf32, #graph.dims<[s0, 16]>>, %w: tensor<16x8xf32> {graph.strides = #graph.dims<[1, 16]>},
    %triton: tensor<8xf32>) -> (tensor<?x8xf32, #graph.dims<[s0, 8]>>, tensor<2x4xf32>) {
  %m = graph.contract %x, %w batch [], [] contract [1], [0]
      : (tensor<?x16xf32, #graph.dims<[s0, 16]>>, tensor<16x8xf32>) -> tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %b = graph.broadcast %triton dims [1] : tensor<8xf32> -> tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %y = graph.mul %m, %b : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %z = graph.relu %y : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %v = graph.call_aten "aten.cumsum.default"(%triton) {args = [#graph.operand<0>, 0 : i64]}
      : (tensor<8xf32>) -> tensor<8xf32>
  %t = graph.reshape %v : tensor<8xf32> -> tensor<2x4xf32>
  return %z, %t : tensor<?x8xf32, #graph.dims<[s0, 8]>>, tensor<2x4xf32>
}
"""

context = make_context()
module = Parser(context, GRAPH).parse_module()
lowered = module.clone()
run_pipeline(context, lowered)
source = python_module(lowered)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "program.py"
    path.write_text(source)
    namespace: dict[str, object] = {"__name__": "program"}
    exec(compile(source, str(path), "exec"), namespace)
    inputs = namespace["random_inputs"](torch.device("cpu"))  # pyright: ignore
    assert inputs[0] % 4 == 0 and inputs[0] >= 4
    assert inputs[2].stride() == (1, 16)
    results = namespace["call"](inputs)  # pyright: ignore

for got, expected in zip(results, interpret(module, inputs), strict=True):
    torch.testing.assert_close(got, expected)
imports = [line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))]
assert set(imports) == {"torch", "triton"}, imports
