# RUN: %python %s | filecheck %s
"""The text of imported programs."""

import torch
from torch import nn
from torch.nn import functional as F

import fusir


def show(name, fn, *args, **kwargs):
    print(f"// {name}")
    print(fusir.trace(fn, *args, **kwargs))


x = torch.randn(4, 8)

# CHECK-LABEL: // article
# CHECK: func.func @main(%x: tensor<4x8xf32> {graph.name = "x"}, %w: tensor<8xf32> {graph.name = "w"}
# CHECK-NEXT: %[[W:.*]] = graph.broadcast %w dims [1] : tensor<8xf32> -> tensor<4x8xf32>
# CHECK-NEXT: %[[P:.*]] = graph.mul %x, %[[W]] : tensor<4x8xf32>
# CHECK-NEXT: %[[S:.*]] = graph.sigmoid %[[P]] : tensor<4x8xf32>
# CHECK-NEXT: func.return %[[S]]
show("article", lambda x, w: torch.sigmoid(x * w), x, torch.randn(8))

# CHECK-LABEL: // reduction
# CHECK: graph.full 2.0
# CHECK: graph.mul
# CHECK-NEXT: graph.reduce sum %{{.*}} dims [1] : tensor<4x8xf32> -> tensor<4xf32>
# CHECK: graph.add
show("reduction", lambda x: (x * 2).sum(-1) + 1, x)

# Halves: a sum accumulates in f32; a scalar that the half type cannot hold is not rounded before its use.
# CHECK-LABEL: // half
# CHECK: %[[X:.*]] = graph.convert %x : tensor<4x8xbf16> -> tensor<4x8xf32>
# CHECK-NEXT: graph.full 0.1 : tensor<4x8xf32>
# CHECK-NEXT: graph.mul %[[X]], %{{.*}} : tensor<4x8xf32>
# CHECK-NEXT: graph.convert %{{.*}} : tensor<4x8xf32> -> tensor<4x8xbf16>
# CHECK: graph.reduce sum %{{.*}} dims [1] : tensor<4x8xf32> -> tensor<4xf32>
# CHECK-NEXT: graph.convert %{{.*}} : tensor<4xf32> -> tensor<4xbf16>
show("half", lambda x: (x * 0.1).sum(-1), x.bfloat16())

# CHECK-LABEL: // linear
# CHECK: func.func @main(%weight: tensor<3x8xf32> {graph.name = "weight", graph.parameter}
# CHECK: graph.permute %weight dims [1, 0]
# CHECK-NEXT: graph.contract %input, %{{.*}} batch [], [] contract [1], [0]
# CHECK-NEXT: graph.broadcast %bias dims [1]
# CHECK-NEXT: graph.add
show("linear", nn.Linear(8, 3), x)

# Integers are promoted as in ATen.
# CHECK-LABEL: // promotion
# CHECK: graph.convert %a : tensor<4xi32> -> tensor<4xf32>
# CHECK: graph.convert %b : tensor<4xi1> -> tensor<4xi64>
# CHECK-NEXT: graph.reduce sum %{{.*}} dims [0] : tensor<4xi64> -> tensor<i64>
show("promotion", lambda a, b: (a / 2, b.sum()), torch.ones(4, dtype=torch.int32), torch.ones(4, dtype=torch.bool))

# CHECK-LABEL: // indexing
# CHECK: graph.gather %w[%{{.*}}] dims [0] : (tensor<10x8xf32>, tensor<2x3xi64>) -> tensor<2x3x8xf32>
show("indexing", lambda i, w: F.embedding(i, w), torch.ones(2, 3, dtype=torch.int64), torch.randn(10, 8))

# Operators without a native import.
# CHECK-LABEL: // fallback
# CHECK: graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none,
# CHECK-SAME: [1 : i64, 1 : i64], [0 : i64, 0 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64],
# CHECK-SAME: result_strides = [#graph.dims<[32, 16, 4, 1]>],
# CHECK-SAME: operand_strides = [#graph.dims<[108, 36, 6, 1]>, #graph.dims<[27, 9, 3, 1]>]}
show("fallback", lambda x, w: F.conv2d(x, w), torch.randn(2, 3, 6, 6)[:, :, :, :], torch.randn(2, 3, 3, 3))

# One seed for each call.
# CHECK-LABEL: // random
# CHECK: %[[SEED:.*]] = graph.call_aten "aten.randint.low"()
# CHECK-SAME: pure = false
# CHECK: graph.random uniform %[[SEED]] offset 0 : tensor<i64> -> tensor<4x8xf32>
# CHECK: graph.random uniform %[[SEED]] offset 1 : tensor<i64> -> tensor<4x8xf32>
show("random", lambda x: x + torch.rand_like(x) + torch.rand(4, 8), x)


# In-place changes are results that the caller writes back.
# CHECK-LABEL: // update
# CHECK: -> (tensor<4x8xf32>, tensor<4x8xf32> {graph.updates = 0 : i64})
def update(x):
    x.add_(1)
    return x * 2


show("update", update, x)

# Layouts are attributes of arguments and results.
# CHECK-LABEL: // strides
# CHECK: %x: tensor<8x4xf32> {graph.name = "x", graph.strides = #graph.dims<[1, 8]>}
# CHECK-SAME: -> (tensor<8x4xf32> {graph.strides = #graph.dims<[1, 8]>})
show("strides", lambda x: x + 1, x.t())
