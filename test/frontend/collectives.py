# RUN: %python %s
"""Functional collectives stay in order as calls that are never removed, and what they have no use for is fused."""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as collectives
from frontend_checks import strict
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.testing._internal.distributed.fake_pg import FakeStore

import fusir

strict()
torch.manual_seed(0)
# A group of two that moves no data, to look at the graph.
dist.init_process_group("fake", rank=0, world_size=2, store=FakeStore())
group = dist.group.WORLD


def fn(x):
    y = collectives.all_reduce(x * 2, "sum", group)
    z = collectives.all_gather_tensor(y + 1, 0, group)
    collectives.all_reduce(z, "max", group)
    return collectives.reduce_scatter_tensor(z, "sum", 0, group).relu()


# All four, in order, each with its wait, also the one whose result is not used.
text = str(fusir.trace(fn, torch.randn(4, 4)))
calls = [line.split('"')[1] for line in text.splitlines() if "graph.call_aten" in line]
started = [c for c in calls if "wait" not in c]
assert [c.split(".")[1] for c in started] == [
    "all_reduce",
    "all_gather_into_tensor",
    "all_reduce",
    "reduce_scatter_tensor",
], calls
assert all("pure = false" in line for line in text.splitlines() if "_c10d_functional" in line)

report = fusir.explain(fn, torch.randn(4, 4))
order = [f.target for f in report.fallbacks if "wait" not in f.target]
assert [c.split(".")[1] for c in order] == [c.split(".")[1] for c in started], order

# A real group of one, to run.
dist.destroy_process_group()
dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
group = dist.group.WORLD
x = torch.randn(4, 4)
torch.testing.assert_close(fusir.compile(fn)(x), fn(x))

# A DDP module compiles, trains a step, and reduces its gradients.
model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2)))
gradients = []
for run in (model, fusir.compile(model)):
    model.zero_grad()
    run(x).square().mean().backward()
    gradients.append([p.grad.clone() for p in model.parameters()])
torch.testing.assert_close(gradients[1], gradients[0])
dist.destroy_process_group()
