# RUN: %python %s
"""Fusions keep the source places of their ops, and remarks name them."""

from __future__ import annotations

from graph_builder import Graph
from xdsl.dialects.builtin import FileLineColLoc, FusedLoc, IntAttr, StringAttr

from fusir import remarks
from fusir.transforms.graph.fuse import fuse_function

g = Graph("lines")
x = g.arg("f32", 8, 64, 32)
rows = x.unary("exp").sum(1, 2)
columns = x.sum(0, 1)
func = next(iter(g.returns(rows, columns).ops))
for line, op in enumerate(func.body.block.ops, 10):
    op.location = FileLineColLoc(StringAttr("model.py"), IntAttr(line), IntAttr(4))

assert not remarks.wanted()
with remarks.collect() as collected:
    assert remarks.wanted()
    first, second = fuse_function(func)
assert [str(each) for each in collected] == [
    "model.py:11: remark: [fuse] fused: 2 ops that compute %2; moves 65568 bytes",
    "model.py:12: remark: [fuse] not fused: %2 reduces over dims [1, 2], %3 over dims [0, 1]",
], list(map(str, collected))
assert isinstance(first.location, FusedLoc) and remarks.source_line(first.location) == ("model.py", 11)
assert remarks.source_line(second.location) == ("model.py", 12)
assert [remarks.source_line(op.location)[1] for op in first.block.ops if op.results] == [10, 11]

with remarks.collect() as outer:
    with remarks.collect() as inner:
        remarks.remark("fallback", "test", "inside", second.location)
    remarks.remark("schedule", "test", "outside", second.location)
assert [str(each) for each in inner] == ["model.py:12: remark: [test] fallback: inside"]
assert [str(each) for each in outer] == ["model.py:12: remark: [test] outside"]
