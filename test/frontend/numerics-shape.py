# RUN: %python %s
"""Imported shape, indexing and creation operators against eager, with the graph interpreter."""

import torch
from frontend_checks import Checker, make
from torch.nn import functional as F

checker = Checker()
check = checker.check

x3 = make((2, 3, 4), torch.float32)
SHAPE_OPS = {
    "view": lambda x: x.reshape(6, 4),
    "flatten": lambda x: x.flatten(1),
    "permute": lambda x: x.permute(2, 0, 1),
    "transpose": lambda x: x.transpose(-1, 0),
    "mT": lambda x: x.mT.contiguous(),
    "expand": lambda x: x[:, :1].expand(2, 5, 4),
    "unsqueeze": lambda x: x.unsqueeze(-1),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "slice": lambda x: x[:, 1:, ::2],
    "negative slice": lambda x: x[-1:, :-1, -3:],
    "select": lambda x: x[1] + x[-1],
    "narrow": lambda x: x.narrow(2, 1, 2),
    "flip": lambda x: x.flip(0, 2),
    "roll": lambda x: x.roll((1, -2), (0, 2)),
    "roll flat": lambda x: x.roll(5),
    "cat": lambda x: torch.cat([x, x[:, :1]], 1),
    "cat types": lambda x: torch.cat([x, x.int()], -1),
    "stack": lambda x: torch.stack([x, x * 2], 1),
    "split": lambda x: x.split(2, 1),
    "split sizes": lambda x: x.split([1, 3], -1),
    "chunk": lambda x: x.chunk(2, 2),
    "unbind": lambda x: x.unbind(1),
    "pad": lambda x: F.pad(x, (1, 2, 0, 1), value=3.0),
    "crop": lambda x: F.pad(x, (-1, 2)),
    "reflect": lambda x: F.pad(x, (1, 2), mode="reflect"),
    "repeat": lambda x: x.repeat(2, 1, 3),
    "tile": lambda x: x.tile(2, 2),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 1),
    "diagonal": lambda x: x.diagonal(1, 1, 2),
    "diag": lambda x: x[0].diag(),
    "tril": torch.tril,
    "triu": lambda x: x.triu(1),
    "as_strided": lambda x: (x + 0).as_strided((2, 2), (3, 1), 1),
    "slice_scatter": lambda x: torch.slice_scatter(x, x[:, :1] * 2, 1, 1, 2),
    "select_scatter": lambda x: torch.select_scatter(x, x[0] * 2, 0, -1),
    "movedim": lambda x: x.movedim(0, 2),
    "unflatten": lambda x: x.unflatten(2, (2, 2)),
    "pixel_shuffle": lambda x: F.pixel_shuffle(x.reshape(1, 4, 2, 3), 2),
    "meshgrid": lambda x: torch.meshgrid(x[0, 0], x[0, :, 0], indexing="ij"),
    "broadcast_tensors": lambda x: torch.broadcast_tensors(x, x[0, 0]),
    "clone": lambda x: (x.clone(), x.contiguous(), x.detach()),
    "einsum": lambda x: torch.einsum("bij,bkj->bik", x, x),
}
for name, fn in SHAPE_OPS.items():
    check(name, fn, x3)
    check(name, fn, x3.to(torch.bfloat16))
    check(name, fn, make((2, 4, 3), torch.float32).transpose(1, 2), may_call=name == "as_strided")

index = torch.tensor([[0, 2], [1, -1]])
positive = index.abs()
INDEX_OPS = {
    "index first": lambda x, i: x[:, i],
    "index last": lambda x, i: x[..., i],
    "index two": lambda x, i: x[:, i, i],
    "index apart": lambda x, i: x[i.clamp(0, 1), :, i],
    "index row": lambda x, i: x[i.clamp(0, 1)],
}
for name, fn in INDEX_OPS.items():
    check(name, fn, x3, index)
check("index_select", lambda x, i: x.index_select(1, i.reshape(-1)), x3, positive)
check("gather", lambda x, i: x[0].gather(1, i), x3, positive)
check("take_along_dim", lambda x, i: x[0, :, :2].take_along_dim(i, 0), x3, positive)
check("embedding", F.embedding, positive, make((5, 3), torch.float32))
check("bool index", lambda x: torch.where(x > 0, x, 0), x3)

CREATION = {
    "zeros": lambda x: torch.zeros(2, 3) + x,
    "full": lambda x: torch.full((2, 3), 2.5) * x,
    "ones_like": lambda x: torch.ones_like(x),
    "arange": lambda x: torch.arange(3) + x,
    "arange float": lambda x: torch.arange(0.0, 1.5, 0.5) + x,
    "linspace": lambda x: torch.linspace(0, 1, 3) + x,
    "eye": lambda x: torch.eye(2, 3) * x,
    "new_full": lambda x: x.new_full((3,), 7) + x,
    "tensor": lambda x: torch.tensor([1.0, 2.0, 3.0]) + x,
    "scalar tensor": lambda x: torch.tensor(2.0) * x,
    "tri mask": lambda x: torch.ones(3, 3).tril().bool(),
    "one_hot": lambda x: F.one_hot(torch.arange(3), 4),
}
for name, fn in CREATION.items():
    check(name, fn, make((2, 3), torch.float32), may_call=name in ("one_hot",))

# Operators that ATen runs.
CALLS = {
    "conv2d": lambda x: F.conv2d(x[None], torch.ones(2, 2, 2, 2)),
    "max_pool": lambda x: F.max_pool2d(x, 2),
    "sort": lambda x: x.sort(-1),
    "topk": lambda x: x.topk(2),
    "logcumsumexp": lambda x: x.logcumsumexp(1),
    "cummax": lambda x: x.cummax(1),
    "scatter": lambda x: x.scatter(1, torch.zeros(2, 1, 4, dtype=torch.int64), 1.0),
    "index_put": lambda x: x.index_put((torch.tensor([0, 1]),), torch.tensor(1.0)),
    "sdpa": lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None]),
    "erfinv": lambda x: torch.erfinv(x.clamp(-0.9, 0.9)),
    "lgamma": torch.lgamma,
    "complex": lambda x: (torch.complex(x, x) * 1j).abs(),
    "fft": lambda x: torch.fft.rfft(x).real,
    "unfold": lambda x: x.unfold(1, 2, 1),
}
for name, fn in CALLS.items():
    check(name, fn, make((2, 3, 4), torch.float32), may_call=True)

# With every extent but 0 and 1 symbolic.
for name in ("permute", "cat", "stack", "unsqueeze", "flatten", "flip", "pad", "slice"):
    check(f"dynamic {name}", SHAPE_OPS[name], make((2, 3, 4), torch.float32), dynamic=True)
check("dynamic view", lambda x: x.view(-1, x.shape[-1]), make((2, 3, 4), torch.float32), dynamic=True)
check("dynamic select", lambda x: x[:, -1], make((2, 3, 4), torch.float32), dynamic=True)

checker.finish()
