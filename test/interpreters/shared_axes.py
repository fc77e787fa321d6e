# RUN: %python %s
"""Programs that wait for each other run in one chunk; a wait that never ends is an error."""

import torch
from xdsl.parser import Parser

from fusir.dialects import tt
from fusir.interpreters.chunks import groups
from fusir.interpreters.tiles import DeadlockError
from fusir.interpreters.tt import launch
from fusir.tools.registry import make_context

SOURCE = """
tt.func public @sums(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %c: !tt.ptr<i32>, %p: !tt.ptr<f32>)
    attributes {{fusir.together = 4 : i32}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %waits = arith.constant {waits} : i32
  %pid = tt.atomic_rmw add, relaxed, gpu, %c, %c1 {{fusir.ticket}} : (!tt.ptr<i32>, i32) -> i32
  %group = arith.divsi %pid, %c4 : i32
  %xp = tt.addptr %x, %pid : !tt.ptr<f32>, i32
  %v = tt.load %xp : !tt.ptr<f32>
  %pp = tt.addptr %p, %pid : !tt.ptr<f32>, i32
  tt.store %pp, %v : !tt.ptr<f32>
  %g1 = arith.addi %group, %c1 : i32
  %counter = tt.addptr %c, %g1 : !tt.ptr<i32>, i32
  %old = tt.atomic_rmw add, release, gpu, %counter, %c1 : (!tt.ptr<i32>, i32) -> i32
  scf.while () : () -> () {{
    %arrived = tt.atomic_rmw add, acquire, gpu, %counter, %c0 : (!tt.ptr<i32>, i32) -> i32
    %early = arith.cmpi slt, %arrived, %waits : i32
    scf.condition(%early)
  }} do {{
    scf.yield
  }}
  %first = arith.muli %group, %c4 : i32
  %lanes = tt.make_range {{end = 4 : i32, start = 0 : i32}} : tensor<4xi32>
  %sf = tt.splat %first : i32 -> tensor<4xi32>
  %index = arith.addi %sf, %lanes : tensor<4xi32>
  %sp = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %q = tt.addptr %sp, %index : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %all = tt.load %q cacheModifier = cg : tensor<4x!tt.ptr<f32>>
  %sum = "tt.reduce"(%all) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }}) : (tensor<4xf32>) -> f32
  %yp = tt.addptr %y, %pid : !tt.ptr<f32>, i32
  tt.store %yp, %sum : !tt.ptr<f32>
  tt.return
}}
"""


def function(waits: int) -> tt.FuncOp:
    module = Parser(make_context(), SOURCE.format(waits=waits)).parse_module()
    func = next(iter(module.ops))
    assert isinstance(func, tt.FuncOp)
    return func


def run(func: tt.FuncOp, count: int, first_ticket: int = 0) -> None:
    x = torch.arange(4.0 * count)
    y = torch.full((4 * count,), float("nan"))
    counters = torch.zeros(1 + count, dtype=torch.int32)
    counters[0] = first_ticket
    launch(func, [x, y, counters, torch.full((4 * count,), float("nan"))], 4 * count)
    assert torch.equal(y.view(count, 4), x.view(count, 4).sum(1, keepdim=True).expand(count, 4))
    assert counters.tolist() == [4 * count, *([4] * count)]


def fails(func: tt.FuncOp, message: str, first_ticket: int = 0) -> None:
    try:
        run(func, 3, first_ticket)
    except DeadlockError as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"expected: {message}")


sums = function(4)
for count in (1, 3, 1000):
    run(sums, count)
run(sums, 3)
fails(function(5), "kernel 'sums': programs wait for ever, with 4 arrived")
fails(sums, "kernel 'sums': ticket 0 is 7: is it 0 at first?", first_ticket=7)

# Whole groups in every chunk, also where one is larger than a chunk should be.
assert [(c.start, c.radices, c.weights) for c in groups(24, 4, 10)] == [
    (0, (2, 4), (4, 1)),
    (8, (2, 4), (4, 1)),
    (16, (2, 4), (4, 1)),
]
assert [c.radices for c in groups(20, 4, 10)] == [(2, 4), (2, 4), (1, 4)]
assert [c.radices for c in groups(10, 5, 1)] == [(1, 5), (1, 5)]
assert groups(0, 4, 10) == []
try:
    groups(10, 4, 100)
except ValueError as error:
    assert "10 programs are no groups of 4" in str(error)
else:
    raise AssertionError("programs without their group were accepted")
