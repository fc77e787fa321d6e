# RUN: %python %s
"""FX graphs that the importer must refuse, and those that look alike and are fine."""

import operator

import torch
from torch import fx
from torch._subclasses import FakeTensorMode

from fusir.frontend.dims import UnsupportedGraph
from fusir.frontend.importer import import_graph

aten = torch.ops.aten
fake = FakeTensorMode().from_tensor(torch.zeros(4))


def build(make):
    """A graph of one or two inputs x and y that returns what `make(call, x, y)` gives."""
    graph = fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    x.meta["val"] = y.meta["val"] = fake

    def call(target, *args, value=fake):
        node = graph.call_function(target, args)
        node.meta["val"] = value
        return node

    graph.output(make(call, x, y))
    return fx.GraphModule(torch.nn.Module(), graph)


def refused(make):
    try:
        import_graph(build(make))
    except UnsupportedGraph as error:
        assert "\n" not in str(error)
        return str(error)
    raise AssertionError("must be refused")


# An input is written at the end: its new value is a result.
imported = import_graph(build(lambda call, x, y: (call(aten.copy_.default, x, call(aten.add.Tensor, x, y)), y)))
assert imported.updates == [(0, 1)], imported.updates


# ... but no reader, direct or through a view, may come later, and it is written once.
def read_later(call, x, y):
    call(aten.copy_.default, x, y)
    return (call(aten.neg.default, x),)


def read_view_later(call, x, y):
    view = call(aten.view.default, x, [4])
    call(aten.copy_.default, x, y)
    return (call(aten.neg.default, view),)


def written_twice(call, x, y):
    call(aten.copy_.default, x, y)
    call(aten.copy_.default, x, call(aten.neg.default, y))
    return (y,)


assert "after it was written" in refused(read_later)
assert "after it was written" in refused(read_view_later)
refused(written_twice)

# Other writes, and what is no operator.
assert "in place" in refused(lambda call, x, y: (call(aten.add_.Tensor, x, y),))
assert "in place" in refused(lambda call, x, y: (call(aten.copy_.default, call(aten.neg.default, x), y),))
assert "not an operator" in refused(lambda call, x, y: (call(operator.add, x, y),))

# Outputs that are no tensors.
imported = import_graph(build(lambda call, x, y: (None, x, 3)))
assert [type(o).__name__ for o in imported.outputs] == ["Literal", "Input", "Literal"]

# An operator of unknown effects keeps its place and is not removed.
text = str(import_graph(build(lambda call, x, y: (call(aten.normal_functional.default, x),))).module)
assert 'graph.call_aten "aten.normal_functional.default"' in text and "pure = false" in text
