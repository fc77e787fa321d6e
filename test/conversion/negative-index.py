# RUN: %python %s
"""Index expressions whose parts are negative are divided rounding down, in tiles as in loops."""

import torch
from xdsl.parser import Parser

from fusir.interpreters.graph import interpret
from fusir.pipeline import run_pipeline
from fusir.runtime.executable import build
from fusir.tools.registry import make_context

GRAPH = """
func.func @main(%x: tensor<9x7xf32>) -> (tensor<7x9xf32>, tensor<3x21xf32>, tensor<3x3x7xf32>) {
  %c = graph.reverse %x dims [1] : tensor<9x7xf32>
  %a = graph.reshape %c : tensor<9x7xf32> -> tensor<7x9xf32>
  %0 = graph.sin %a : tensor<7x9xf32>
  %r = graph.reverse %0 dims [0, 1] : tensor<7x9xf32>
  %b = graph.reshape %r : tensor<7x9xf32> -> tensor<3x21xf32>
  %1 = graph.cos %b : tensor<3x21xf32>
  %d = graph.reverse %b dims [0] : tensor<3x21xf32>
  %e = graph.reshape %d : tensor<3x21xf32> -> tensor<3x3x7xf32>
  %2 = graph.neg %e : tensor<3x3x7xf32>
  return %0, %1, %2 : tensor<7x9xf32>, tensor<3x21xf32>, tensor<3x3x7xf32>
}
"""

context = make_context()
for fuse in (True, False):
    module = Parser(context, GRAPH).parse_module()
    x = torch.randn(9, 7)
    expected = interpret(module, [x])
    run_pipeline(context, module, options={"fuse": {"enabled": (fuse,)}})
    for result, want in zip(build(module)([x]), expected, strict=True):
        torch.testing.assert_close(result, want)
