# RUN: %python %s
"""Exported programs: state, mutations, keyword arguments, nesting, dynamic extents."""

import copy
import warnings

import torch
from frontend_checks import strict
from torch import nn

import fusir
from fusir.frontend.export import capture_exported, compile_exported
from fusir.options import Options

strict()
warnings.filterwarnings("ignore", category=FutureWarning)
torch.manual_seed(0)

# Parameters, buffers that change, and a constant.


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 5)
        self.norm = nn.BatchNorm1d(5)
        self.table = torch.arange(5.0)

    def forward(self, x):
        return torch.relu(self.norm(self.linear(x))) + self.table


net = Net()
reference = copy.deepcopy(net)
x = torch.randn(3, 4)
program = torch.export.export(net, (x,))
run = fusir.compile(program)
for _ in range(2):
    torch.testing.assert_close(run(x), reference(x))
torch.testing.assert_close(program.state_dict["norm.running_var"], reference.norm.running_var)
text = str(fusir.trace(program))
assert '%linear_weight: tensor<5x4xf32> {graph.name = "linear.weight", graph.parameter}' in text
assert "graph.updates" in text


# Inputs that change, keywords, nested results, a dynamic extent.
class Update(nn.Module):
    def forward(self, x, *, more):
        x.add_(1)
        return {"product": x * more["scale"], "rest": (x.sum(0), 3)}


batch = torch.export.Dim("batch", min=2, max=64)
scale = torch.randn(4)
program = torch.export.export(
    Update(),
    (torch.randn(3, 4),),
    {"more": {"scale": scale}},
    dynamic_shapes={"x": {0: batch}, "more": {"scale": None}},
)
run = compile_exported(program, Options())
for rows in (2, 7, 64):
    mine = torch.randn(rows, 4)
    theirs = mine.clone()
    torch.testing.assert_close(run(mine, more={"scale": scale}), Update()(theirs, more={"scale": scale}))
    torch.testing.assert_close(mine, theirs)
assert "graph.symbol<0, min = 2, max = 64>" in str(capture_exported(program).imported().module)
try:
    run(mine, scale)
except TypeError as error:
    assert "\n" not in str(error)
else:
    raise AssertionError("wrong arguments are an error")
