# RUN: %python %s
"""Imported reductions, normalizations and matrix products against eager, with the graph interpreter."""

import torch
from frontend_checks import Checker, make
from torch.nn import functional as F

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
INTEGERS = (torch.int64, torch.int32, torch.uint8)

checker = Checker()
check = checker.check

REDUCTIONS = {
    "sum": lambda x: x.sum(),
    "sum dim": lambda x: x.sum((0, 2)),
    "sum keep": lambda x: x.sum(1, keepdim=True),
    "amax": lambda x: x.amax((0, 1)),
    "amin": lambda x: x.amin(-1, keepdim=True),
    "max": lambda x: x.max(),
    "max dim": lambda x: x.max(1),
    "min dim": lambda x: x.min(2, keepdim=True),
    "argmax": lambda x: x.argmax(),
    "argmin dim": lambda x: x.argmin(1, keepdim=True),
    "any": lambda x: (x > 0).any(1),
    "all": lambda x: (x > 0).all(),
    "count_nonzero": lambda x: x.count_nonzero(1),
    "aminmax": lambda x: torch.aminmax(x, dim=1),
}
FLOAT_REDUCTIONS = {
    "mean": lambda x: x.mean(),
    "mean dim": lambda x: x.mean((0, 2), keepdim=True),
    "prod": lambda x: x.prod(1),
    "var": lambda x: x.var(),
    "var dim": lambda x: x.var((1, 2), correction=0),
    "std": lambda x: x.std(1, keepdim=True),
    "var_mean": lambda x: torch.var_mean(x, 2),
    "std_mean": lambda x: torch.std_mean(x, (0, 1)),
    "norm": lambda x: x.norm(dim=1),
    "vector_norm": lambda x: torch.linalg.vector_norm(x, 3, (0, 2)),
    "logsumexp": lambda x: x.logsumexp(1),
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(-1),
    "nansum": lambda x: x.nansum(1),
    "layer_norm": lambda x: F.layer_norm(x, (3, 4), x[0], x[1]),
    "group_norm": lambda x: F.group_norm(x.reshape(2, 6, 2), 3),
    "instance_norm": lambda x: F.instance_norm(x),
    "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
    "batch_norm eval": lambda x: F.batch_norm(x, x[0, :, 0], x[1, :, 1].abs()),
    "rms_norm": lambda x: F.rms_norm(x, (4,), x[0, 0]),
    "normalize": lambda x: F.normalize(x, dim=1),
    "mse_loss": lambda x: F.mse_loss(x, x.flip(0)),
    "smooth_l1": lambda x: F.smooth_l1_loss(x, x.flip(0)),
    "huber": lambda x: F.huber_loss(x, x.flip(0)),
    "kl_div": lambda x: F.kl_div(x.log_softmax(-1), x.softmax(-1), reduction="batchmean"),
    "cosine": lambda x: F.cosine_similarity(x, x.flip(0), dim=-1),
    "cdist": lambda x: (x[:, :, None] - x[:, None]).pow(2).sum(-1).sqrt(),
}
for dtype in (*FLOATS, *INTEGERS):
    for name, fn in REDUCTIONS.items():
        check(name, fn, make((2, 3, 4), dtype))
for dtype in FLOATS:
    for name, fn in FLOAT_REDUCTIONS.items():
        check(name, fn, make((2, 3, 4), dtype))
check("sum dtype", lambda x: x.sum(0, dtype=torch.float64), make((3, 4), torch.bfloat16))
check("sum of bool", lambda x: (x > 0).sum(0), make((3, 4), torch.float32))
check("sum of nothing", lambda x: x.sum(0), torch.zeros(0, 3))
check("mean of nothing", lambda x: x.mean(0), torch.zeros(0, 3))

target = torch.tensor([1, 0, 3])
logits = make((3, 4), torch.float32)
check("cross_entropy", F.cross_entropy, logits, target)
check("cross_entropy options", lambda x, t: F.cross_entropy(x, t, ignore_index=0, label_smoothing=0.1), logits, target)
check("nll_loss", lambda x, t: F.nll_loss(x.log_softmax(-1), t, reduction="sum"), logits, target)
check("bce", lambda x: F.binary_cross_entropy_with_logits(x, x.sigmoid()), logits)

for dtype in FLOATS:
    a, b, c = make((3, 4), dtype), make((4, 5), dtype), make((5,), dtype)
    check("mm", torch.mm, a, b)
    check("addmm", lambda c, a, b: torch.addmm(c, a, b), c, a, b)
    check("addmm scaled", lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), c, a, b)
    check("linear", F.linear, a, b.t().contiguous(), c)
    check("bmm", torch.bmm, make((2, 3, 4), dtype), make((2, 4, 5), dtype))
    check("baddbmm", torch.baddbmm, make((2, 3, 5), dtype), make((2, 3, 4), dtype), make((2, 4, 5), dtype))
    check("matmul", torch.matmul, make((2, 3, 4), dtype), b)
    check("mv", torch.mv, a, a[0])
    check("dot", torch.dot, c, c)
    check("outer", torch.outer, c, c)

# With every extent but 0 and 1 symbolic.
for name in ("softmax", "mean", "var dim", "layer_norm", "mse_loss"):
    check(f"dynamic {name}", FLOAT_REDUCTIONS[name], make((2, 3, 4), torch.float32), dynamic=True)

checker.finish()
