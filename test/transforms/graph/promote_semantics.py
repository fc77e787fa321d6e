# RUN: %python %s
"""`promote-precision`: strict rounding is bit-equal to rounding each op; otherwise results are at least as good."""

import torch
from xdsl.context import Context
from xdsl.parser import Parser

from fusir.dialects import graph
from fusir.interpreters.graph import interpret
from fusir.tools.registry import make_context
from fusir.transforms.graph.promote_precision import PromotePrecisionPass

SOFTMAX = """
  %m = graph.reduce max %a dims [1] : tensor<16x64xHALF> -> tensor<16xHALF>
  %mb = graph.broadcast %m dims [0] : tensor<16xHALF> -> tensor<16x64xHALF>
  %d = graph.sub %a, %mb : tensor<16x64xHALF>
  %e = graph.exp %d : tensor<16x64xHALF>
  %s = graph.reduce sum %e dims [1] : tensor<16x64xHALF> -> tensor<16xHALF>
  %sb = graph.broadcast %s dims [0] : tensor<16xHALF> -> tensor<16x64xHALF>
  %r = graph.div %e, %sb : tensor<16x64xHALF>
"""
GELU = """
  %c = graph.full 0.70710678 : tensor<16x64xHALF>
  %h = graph.full 0.5 : tensor<16x64xHALF>
  %one = graph.full 1.0 : tensor<16x64xHALF>
  %0 = graph.mul %a, %c : tensor<16x64xHALF>
  %1 = graph.erf %0 : tensor<16x64xHALF>
  %2 = graph.add %1, %one : tensor<16x64xHALF>
  %3 = graph.mul %a, %h : tensor<16x64xHALF>
  %r = graph.mul %3, %2 : tensor<16x64xHALF>
"""
NORM = """
  %w = graph.convert %a : tensor<16x64xHALF> -> tensor<16x64xf32>
  %sq = graph.mul %w, %w : tensor<16x64xf32>
  %s = graph.reduce sum %sq dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %q = graph.rsqrt %s : tensor<16xf32>
  %qb = graph.broadcast %q dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %n = graph.mul %w, %qb : tensor<16x64xf32>
  %nh = graph.convert %n : tensor<16x64xf32> -> tensor<16x64xHALF>
  %r = graph.mul %nh, %a : tensor<16x64xHALF>
"""
MOVEMENT = """
  %p = graph.pad %a low [0, 1] high [0, 2] value 1.5 : tensor<16x64xHALF> -> tensor<16x67xHALF>
  %ex = graph.exp %p : tensor<16x67xHALF>
  %q = graph.pad %ex low [1, 0] high [0, 0] value 0.1 : tensor<16x67xHALF> -> tensor<17x67xHALF>
  %k = graph.concat %q, %p dim 0 : (tensor<17x67xHALF>, tensor<16x67xHALF>) -> tensor<33x67xHALF>
  %v = graph.reverse %k dims [0] : tensor<33x67xHALF>
  %z = graph.scan sum %v dim 1 : tensor<33x67xHALF>
  %r = graph.slice %z starts [3, 0] steps [1, 1] : tensor<33x67xHALF> -> tensor<16x64xHALF>
"""
JUMPS = """
  %t = graph.full 1.003 : tensor<16x64xHALF>
  %back = graph.mul %a, %t : tensor<16x64xHALF>
  %eq = graph.compare eq %back, %a : tensor<16x64xHALF>
  %i = graph.convert %back : tensor<16x64xHALF> -> tensor<16x64xi32>
  %f = graph.floor %back : tensor<16x64xHALF>
  %g = graph.convert %i : tensor<16x64xi32> -> tensor<16x64xHALF>
  %n = graph.select %eq, %f, %g : tensor<16x64xHALF>
  %big = graph.full 30000.0 : tensor<16x64xHALF>
  %o = graph.mul %a, %big : tensor<16x64xHALF>
  %inf = graph.isinf %o : tensor<16x64xHALF>
  %r = graph.select %inf, %t, %n : tensor<16x64xHALF>
"""
BITS = """
  %0 = graph.exp %a : tensor<16x64xHALF>
  %1 = graph.bitcast %0 : tensor<16x64xHALF> -> tensor<16x64xi16>
  %r = graph.bitcast %1 : tensor<16x64xi16> -> tensor<16x64xHALF>
"""
ARGMAX = """
  %c = graph.full 0.013 : tensor<16x64xHALF>
  %0 = graph.mul %a, %c : tensor<16x64xHALF>
  %i = graph.reduce argmax %0 dims [1] : tensor<16x64xHALF> -> tensor<16xi64>
  %j = graph.convert %i : tensor<16xi64> -> tensor<16xHALF>
  %r = graph.broadcast %j dims [0] : tensor<16xHALF> -> tensor<16x64xHALF>
"""
PROGRAMS = {"softmax": SOFTMAX, "gelu": GELU, "norm": NORM, "movement": MOVEMENT, "jumps": JUMPS, "bits": BITS}
PROGRAMS |= {"argmax": ARGMAX}
EQUAL_TO_EAGER = ("jumps", "bits", "argmax")


def parse(body, half):
    text = f"""func.func @main(%x: tensor<16x64xHALF>) -> tensor<16x64xHALF> {{
  %y = graph.fusion (%a = %x : tensor<16x64xHALF>) -> tensor<16x64xHALF> {{
  {body}
  graph.yield %r : tensor<16x64xHALF>
  }}
  return %y : tensor<16x64xHALF>
}}"""
    module = Parser(make_context(), text.replace("HALF", half)).parse_module()
    module.verify()
    return module


def promoted(body, half, strict):
    module = parse(body, half)
    PromotePrecisionPass(strict_rounding=strict).apply(Context(), module)
    module.verify()
    return module


def computes_in_half(module):
    """Names of the ops that compute on half precision."""
    allowed = (graph.ConvertOp, graph.BitcastOp, graph.SelectOp)
    compute = [o for o in module.walk() if isinstance(o, (graph.PointwiseOp, graph.ReduceOp, graph.ScanOp))]
    return [
        o.name
        for o in compute
        if not isinstance(o, allowed)
        and any(graph.is_half(graph.element_type_of(v)) for v in (*o.operands, *o.results))
    ]


x = 3 * torch.randn(16, 64, generator=torch.Generator().manual_seed(0))
for (name, body), half in ((p, h) for p in PROGRAMS.items() for h in ("f16", "bf16")):
    dtype = torch.float16 if half == "f16" else torch.bfloat16
    inputs = [x.to(dtype)]
    (eager,) = interpret(parse(body, half), inputs)
    strict, loose = promoted(body, half, True), promoted(body, half, False)
    assert not computes_in_half(strict), f"{name} {half}: {computes_in_half(strict)} compute in {half}"
    assert not computes_in_half(loose), f"{name} {half}: {computes_in_half(loose)} compute in {half}"
    (by_op,) = interpret(strict, inputs)
    assert torch.equal(by_op, eager), f"{name} {half}: strict rounding differs"
    (result,) = interpret(loose, inputs)
    assert result.dtype == dtype
    if name in EQUAL_TO_EAGER:
        assert torch.equal(result, eager), f"{name} {half}: differs from eager"
        continue
    (reference,) = interpret(parse(body, half), inputs, float64=True)
    error, eager_error = ((r.double() - reference).abs().max().item() for r in (result, eager))
    assert error <= eager_error, f"{name} {half}: error {error}, eager has {eager_error}"
