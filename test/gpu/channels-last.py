# RUN: %python %s
# REQUIRES: cuda
"""Convolutions with channels last on the device: the operators give the layouts that the pass expects, and no copies."""

from copy import deepcopy

import torch
from channels_last import check_operators
from frontend_checks import strict
from torch import nn
from torch.nn import functional as F

import fusir

strict()
torch.manual_seed(0)
for dtype in (torch.float32, torch.bfloat16, torch.float16):
    check_operators("cuda", dtype)
    for groups, shape, rank in (
        (1, (64, 32, 3, 3), 2),
        (32, (32, 1, 5, 5), 2),
        (4, (64, 8, 1, 1), 2),
        (1, (32, 32, 3, 3, 3), 3),
    ):
        layout = torch.channels_last if rank == 2 else torch.channels_last_3d
        x = torch.randn(4, 32, *(8,) * rank, device="cuda", dtype=dtype).to(memory_format=layout)
        w = torch.randn(shape, device="cuda", dtype=dtype).to(memory_format=layout)
        for transposed in (False, True) if groups == 1 and rank == 2 else (False,):
            w = w[:32, :32] if transposed else w
            y = torch.convolution(x, w, None, [1] * rank, [1] * rank, [1] * rank, transposed, [0] * rank, groups)
            assert y.is_contiguous(memory_format=layout), (dtype, groups, shape, transposed, y.stride())


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 64, 7, 2, 3)
        self.first, self.second = nn.Conv2d(64, 64, 3, padding=1), nn.Conv2d(64, 64, 1)
        self.depth = nn.Conv2d(64, 64, 3, padding=1, groups=64)
        self.norm = nn.BatchNorm2d(64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(self.stem(x).relu(), 3, 2, 1)
        y = F.silu(self.norm(self.first(x)))
        return F.adaptive_avg_pool2d(F.relu(self.depth(self.second(y)) + x), 1).flatten(1)


net = Block().cuda().eval()
x = torch.randn(16, 3, 64, 64, device="cuda")
with torch.no_grad():
    exact = deepcopy(net).double()(x.double())
    for dtype, tolerance in ((torch.bfloat16, 3e-2), (torch.float16, 5e-3), (torch.float32, 5e-3)):
        for choice in (None, True, False):
            compiled = fusir.compile(deepcopy(net).to(dtype), options={"channels_last": choice})
            result = compiled(x.to(dtype))
            torch.testing.assert_close(result.double(), exact, rtol=tolerance, atol=tolerance)
            assert result.is_contiguous()
