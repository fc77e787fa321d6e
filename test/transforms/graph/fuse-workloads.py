# RUN: %python %s
"""How many kernels the programs that matter become, at the sizes at which they matter."""

from __future__ import annotations

from collections.abc import Callable

from graph_builder import Graph, Tensor, exp, layer_norm, rsqrt, sigmoid, softmax
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp

from fusir.analysis.bytes import fusion_traffic
from fusir.analysis.layout import STRIDES
from fusir.analysis.space import verify_fusion_space
from fusir.dialects.graph import DimsAttr, FusionOp
from fusir.pipeline import verify
from fusir.transforms.graph.fuse import fuse_function

CASES: list[tuple[str, Callable[[Graph], ModuleOp], int, bool]] = []


def becomes(kernels: int, fuse: bool = True) -> Callable[[Callable[[Graph], ModuleOp]], Callable[[Graph], ModuleOp]]:
    def register(build: Callable[[Graph], ModuleOp]) -> Callable[[Graph], ModuleOp]:
        CASES.append((build.__name__, build, kernels, fuse))
        return build

    return register


def kernels_of(module: ModuleOp, fuse: bool = True) -> list[FusionOp]:
    fusions = fuse_function(next(iter(module.ops)), enabled=fuse)
    verify(module)
    for fusion in fusions:
        verify_fusion_space(fusion)
    return fusions


@becomes(1)
def sigmoid_affine(g: Graph) -> ModuleOp:
    x, w, b = (g.arg("f32", 1 << 26) for _ in range(3))
    return g.returns(sigmoid(x * w + b))


@becomes(3, fuse=False)
def sigmoid_affine_unfused(g: Graph) -> ModuleOp:
    return sigmoid_affine(g)


@becomes(1)
def scale_sum_add(g: Graph) -> ModuleOp:
    return g.returns((g.arg("f32", 16384, 4096) * 2.0).sum(-1) + 1.0)


@becomes(1)
def sin_cos(g: Graph) -> ModuleOp:
    x = g.arg("f32", 1 << 26)
    return g.returns(x.unary("sin"), x.unary("cos"))


@becomes(1)
def long_softmax(g: Graph) -> ModuleOp:
    return g.returns(softmax(g.arg("bf16", 512, 131072), 1))


@becomes(1)
def softmax_of_a_transposed_view(g: Graph) -> ModuleOp:
    return g.returns(softmax(g.arg("f32", 64, 512, 256).permute(0, 2, 1), 2))


@becomes(1)
def layer_norm_bf16(g: Graph) -> ModuleOp:
    x, w, b = g.arg("bf16", 16384, 4096).convert("f32"), g.arg("f32", 4096), g.arg("f32", 4096)
    return g.returns(layer_norm(x, w, b, 1).convert("bf16"))


@becomes(1)
def group_norm(g: Graph) -> ModuleOp:
    x, w, b = g.arg("f32", 64, 256, 64, 64), g.arg("f32", 256), g.arg("f32", 256)
    y = layer_norm(x.reshape(64, 32, 8 * 64 * 64), None, None, 2).reshape(64, 256, 64, 64)
    return g.returns(y * w.reshape(256, 1, 1) + b.reshape(256, 1, 1))


@becomes(1)
def add_rms_norm(g: Graph) -> ModuleOp:
    x, y, w = g.arg("bf16", 16384, 4096), g.arg("bf16", 16384, 4096), g.arg("bf16", 4096)
    h = (x.convert("f32") + y.convert("f32")).convert("bf16")
    f = h.convert("f32")
    n = f * rsqrt((f * f).mean(1, keep=True) + 1e-6)
    return g.returns(h, n.convert("bf16") * w)


def _batch_norm(g: Graph, n: int, c: int, hw: int) -> ModuleOp:
    x = g.arg("f32", n, c, hw, hw)
    w, b, running_mean, running_var = (g.arg("f32", c) for _ in range(4))
    mean = x.mean(0, 2, 3)
    centered = x - mean.reshape(1, c, 1, 1)
    var = (centered * centered).mean(0, 2, 3)
    y = centered * rsqrt(var + 1e-5).reshape(1, c, 1, 1) * w.reshape(1, c, 1, 1) + b.reshape(1, c, 1, 1)
    updates = (running_mean * 0.9 + mean * 0.1, running_var * 0.9 + var * 0.1)
    return g.returns(y.unary("relu"), mean, rsqrt(var + 1e-5), *updates)


@becomes(1)
def batch_norm_shared_rows(g: Graph) -> ModuleOp:
    """64 channels, each of which several programs share."""
    return _batch_norm(g, 128, 64, 56)


@becomes(2)
def batch_norm_few_long_rows(g: Graph) -> ModuleOp:
    """Channels with more parts than a device holds programs."""
    return _batch_norm(g, 128, 64, 512)


@becomes(1)
def batch_norm_many_short_rows(g: Graph) -> ModuleOp:
    return _batch_norm(g, 32, 512, 7)


@becomes(1)
def batch_norm_256(g: Graph) -> ModuleOp:
    return _batch_norm(g, 128, 256, 56)


@becomes(1)
def rope(g: Graph) -> ModuleOp:
    q, cos, sin = g.arg("bf16", 8, 32, 4096, 128), g.arg("bf16", 4096, 128), g.arg("bf16", 4096, 128)
    half = g.concat(3, -q.slice(3, 64, 128), q.slice(3, 0, 64))
    return g.returns(q * cos + half * sin)


@becomes(2)
def rope_of_q_and_k(g: Graph) -> ModuleOp:
    cos, sin = g.arg("bf16", 4096, 128), g.arg("bf16", 4096, 128)
    results: list[Tensor] = []
    for heads in (32, 8):
        x = g.arg("bf16", 8, heads, 4096, 128)
        half = g.concat(3, -x.slice(3, 64, 128), x.slice(3, 0, 64))
        results.append(x * cos + half * sin)
    return g.returns(*results)


@becomes(1)
def gelu(g: Graph) -> ModuleOp:
    x = g.arg("bf16", 8192, 16384).convert("f32")
    return g.returns((x * 0.5 * ((x * 0.70710678).unary("erf") + 1.0)).convert("bf16"))


@becomes(1)
def packed_swiglu(g: Graph) -> ModuleOp:
    x = g.arg("bf16", 8192, 2 * 28672)
    gate, up = x.slice(1, 0, 28672), x.slice(1, 28672, 2 * 28672)
    return g.returns(gate * sigmoid(gate) * up)


@becomes(2)
def cross_entropy(g: Graph) -> ModuleOp:
    x, target = g.arg("f32", 4096, 128256), g.arg("i64", 4096)
    m = x.amax(1)
    lse = exp(x - m.reshape(4096, 1)).sum(1).unary("log") + m
    picked = x.gather([g.iota(0, 4096), target], [0, 1])
    return g.returns((lse - picked).mean())


@becomes(2)
def cross_entropy_of_log_softmax(g: Graph) -> ModuleOp:
    x, target = g.arg("f32", 32768, 4096), g.arg("i64", 32768, 1)
    shifted = x - x.amax(1, keep=True)
    y = shifted - exp(shifted).sum(1, keep=True).unary("log")
    loss = -y.gather([g.iota(0, 32768, 1), target], [0, 1]).reshape(32768)
    valid = target.reshape(32768).compare("ne", -100)
    return g.returns(valid.select(loss, 0.0).sum() / valid.convert("f32").sum())


@becomes(2)
def row_and_column_sums(g: Graph) -> ModuleOp:
    x = g.arg("f32", 8192, 8192)
    return g.returns(x.sum(0), x.sum(1))


@becomes(1)
def heads_are_split_behind_the_kernel(g: Graph) -> ModuleOp:
    """The permute is a view of the result; the reshape of it would be a copy, so the kernel writes it."""
    x = g.arg("f32", 8, 16, 512, 64)
    return g.returns((x * 2.0).permute(0, 2, 1, 3).reshape(8, 512, 1024))


@becomes(0)
def only_views(g: Graph) -> ModuleOp:
    return g.returns(g.arg("f32", 64, 32).permute(1, 0).slice(0, 4, 20))


@becomes(1)
def softmax_then_transposed_view(g: Graph) -> ModuleOp:
    module = g.returns(softmax(g.arg("f32", 1024, 512), 1).permute(1, 0))
    function = next(iter(module.ops))
    function.properties["res_attrs"] = ArrayAttr([DictionaryAttr({STRIDES: DimsAttr((1, 512))})])
    return module


@becomes(2)
def softmax_then_transposed(g: Graph) -> ModuleOp:
    """The statistics of the rows, and tiles that are normalized and stored transposed."""
    return g.returns(softmax(g.arg("f32", 1024, 512), 1).permute(1, 0))


@becomes(1)
def transposed_and_not(g: Graph) -> ModuleOp:
    y = g.arg("f32", 1024, 512).unary("exp")
    return g.returns(y.permute(1, 0), y)


@becomes(2)
def layer_norm_backward_cut(g: Graph) -> ModuleOp:
    """Rows and columns in one walk, and the finish of both column sums."""
    x, d, w = g.arg("f32", 16384, 4096), g.arg("f32", 16384, 4096), g.arg("f32", 4096)
    mean = x.mean(1, keep=True)
    rstd = rsqrt(((x - mean) * (x - mean)).mean(1, keep=True) + 1e-5)
    xhat, dxhat = (x - mean) * rstd, d * w
    dx = (dxhat - dxhat.mean(1, keep=True) - xhat * (dxhat * xhat).mean(1, keep=True)) * rstd
    return g.returns(dx, *((each.reshape(64, 256, 4096).sum(0).sum(0)) for each in (d * xhat, d)))


@becomes(3)
def transpose_and_sums_cut(g: Graph) -> ModuleOp:
    x = g.arg("f32", 16384, 8192)
    columns, rows = x.reshape(32, 512, 8192).sum(1).sum(0), x.reshape(16384, 128, 64).sum(2).sum(1)
    return g.returns(x.permute(1, 0), columns, rows)


@becomes(1)
def producer_through_a_transpose(g: Graph) -> ModuleOp:
    x, y = g.arg("f32", 2048, 1024), g.arg("f32", 1024, 2048)
    return g.returns(x.unary("exp").permute(1, 0) + y)


for name, build, expected, fuse in CASES:
    fusions = kernels_of(build(Graph(name)), fuse)
    assert len(fusions) == expected, f"{name}: {len(fusions)} kernels instead of {expected}:\n" + "\n".join(
        map(str, fusions)
    )

size = 4 << 26
for fuse, reads, writes in ((True, 3, 1), (False, 5, 3)):
    traffic = [fusion_traffic(fusion) for fusion in kernels_of(sigmoid_affine(Graph("traffic")), fuse)]
    assert sum(len(each.reads) for each in traffic) == reads
    assert sum(len(each.writes) for each in traffic) == writes
    assert sum(each.bytes for each in traffic if isinstance(each.bytes, int)) == size * (reads + writes)
traffic = fusion_traffic(kernels_of(packed_swiglu(Graph("sliced")))[0])
assert [each.bytes for each in traffic.reads] == [8192 * 2 * 28672 * 2], "both halves are read, once"
