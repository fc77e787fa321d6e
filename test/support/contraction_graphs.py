"""A hypothesis strategy for modules with contractions and what is around them in models.

Operands are converted, scaled, masked, normalised and reshaped; results get biases, residuals, activations, gates,
dropout, row and column reductions, norms, views, and further contractions. Values stay small, so that half precision
keeps its absolute error.
"""

from __future__ import annotations

from graph_builder import Graph, Tensor, rsqrt
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects import graph

ROWS = (1, 3, 4, 8)
COLUMNS = (1, 4, 5, 8, 16)
INNER = (1, 3, 4, 8)
BATCHES = ((), (), (2,), (2, 3))
MAX_STEPS = 10


class Program:
    """A graph that grows by random steps."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw
        self.graph = Graph("contractions")
        self.element: str = draw(st.sampled_from(("f32", "bf16", "f16")))
        self.values: list[Tensor] = []
        """Values within about 3 of 0."""
        self.all: list[Tensor] = []

    def choose(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def keep(self, value: Tensor) -> Tensor:
        self.values.append(value)
        self.all.append(value)
        return value

    def start(self) -> None:
        batch = self.draw(st.sampled_from(BATCHES))
        rows, inner = self.draw(st.sampled_from(ROWS)), self.draw(st.sampled_from(INNER))
        x = self.keep(self.graph.arg(self.element, *batch, rows, inner))
        if self.draw(st.booleans()):
            self.values[-1] = self.keep(self.small(x + self.graph.arg(self.element, *x.dims)))

    def small(self, value: Tensor) -> Tensor:
        return value.unary(self.choose("tanh", "sin", "sigmoid"))

    def pick(self) -> Tensor:
        return self.draw(st.sampled_from((*self.values, *self.values[-2:])))

    def like(self, value: Tensor) -> Tensor:
        """A tensor that broadcasts to a value."""
        rank = value.rank
        kind = self.choose("whole", "columns", "rows", "earlier")
        if kind == "earlier":
            same = [each for each in self.values if each.dims == value.dims and each.element == value.element]
            return self.draw(st.sampled_from(same))
        dims = {"whole": value.dims, "columns": value.dims[-1:], "rows": (*value.dims[:-1], 1)}[kind]
        return self.graph.arg(self.element, *dims) if rank else value


def _norm(p: Program, x: Tensor) -> Tensor:
    """An RMS norm or layer norm of rows, in f32."""
    wide = x.convert("f32") if p.element != "f32" else x
    if p.draw(st.booleans()):
        wide = wide - wide.mean(-1, keep=True)
    scale = (wide * wide).mean(-1, keep=True) + 0.5
    kind = p.choose("rsqrt", "div", "half")
    wide = wide / scale.unary("sqrt") if kind == "div" else wide * rsqrt(scale)
    if kind == "half" and p.element != "f32":
        wide = wide.convert(p.element)
    weight = p.graph.arg(p.element, wide.dims[-1])
    if p.draw(st.booleans()):
        wide = wide * (weight if wide.element == weight.element else weight.convert("f32")) * 0.5
    return wide if wide.element == x.element else wide.convert(p.element)


def _operand(p: Program, x: Tensor) -> Tensor:
    """What a contraction reads."""
    for _ in range(p.draw(st.integers(0, 2))):
        kind = p.choose("norm", "norm", "scale", "mask", "relu", "exp", "add", "reshape")
        if kind == "norm":
            x = _norm(p, x)
        elif kind == "scale":
            x = x * p.graph.arg(p.element, x.dims[-1])
        elif kind == "mask":
            x = p.graph.arg("i1", *x.dims).select(x, 0.0)
        elif kind == "add":
            x = x + p.graph.arg(p.element, *x.dims)
        elif kind == "reshape" and x.rank > 2:
            x = x.reshape(graph.numel(x.dims[:-1]), x.dims[-1])
        elif kind in ("relu", "exp"):
            x = p.small(x).unary(kind)
        if kind in ("scale", "add"):
            x = p.small(x)
    return x


def _weight(p: Program, inner: graph.Dim, batch: tuple[graph.Dim, ...]) -> Tensor:
    columns = p.draw(st.sampled_from(COLUMNS))
    kind = p.choose("plain", "transposed", "bytes", "scaled", "normed")
    if kind == "transposed":
        rank = len(batch)
        return p.graph.arg(p.element, *batch, columns, inner).permute(*range(rank), rank + 1, rank)
    if kind == "bytes":
        weight = p.graph.arg("i8", *batch, inner, columns, low=-4, high=4).convert(p.element)
        return weight * p.graph.arg(p.element, columns) * 0.25
    weight = p.graph.arg(p.element, *batch, inner, columns)
    if kind == "normed":
        rank = len(batch)
        return _norm(p, weight.permute(*range(rank), rank + 1, rank)).permute(*range(rank), rank + 1, rank)
    return weight * 0.5 if kind == "scaled" else weight


def _product(p: Program, x: Tensor) -> Tensor | None:
    """One contraction, or several that share the left operand."""
    if x.rank < 2:
        return None
    x = _operand(p, x)
    inner = x.dims[-1]
    assert isinstance(inner, int)
    batch = x.dims[:-2] if p.draw(st.booleans()) else ()
    weight = _weight(p, inner, batch)
    result = p.keep(x.matmul(weight, len(batch)) * (0.5 / inner))
    if p.choose("one", "gated") == "gated":
        other = p.graph.arg(p.element, *weight.dims)
        gate = p.small(p.keep(x.matmul(other, len(batch))))
        return p.small(result) * gate
    return result


def _epilogue(p: Program, x: Tensor) -> Tensor:
    kind = p.choose("add", "mul", "tanh", "relu", "silu", "round trip", "dropout")
    if kind == "add":
        return p.small(x + p.like(x))
    if kind == "mul":
        return p.small(x * p.like(x))
    if kind == "silu":
        return x * x.unary("sigmoid")
    if kind == "round trip" and p.element != "f32":
        return p.small(x.convert("f32")).convert(p.element)
    if kind == "dropout":
        mask = p.graph.random(p.graph.arg("i64"), 3, *x.dims).compare("lt", 0.5)
        if p.draw(st.booleans()):
            p.all.append(mask)
        return mask.select(x, 0.0)
    return x.unary("relu" if kind == "relu" else "tanh")


def _view(p: Program, x: Tensor) -> Tensor:
    kind = p.choose("permute", "reshape", "split", "slice")
    if kind == "permute":
        return x.permute(*p.draw(st.permutations(range(x.rank))))
    if kind == "slice" and x.rank:
        return x.slice(x.rank - 1, 0, max(1, int(str(x.dims[-1])) // 2))
    if kind == "split" and x.rank and isinstance(x.dims[-1], int) and x.dims[-1] % 4 == 0:
        return x.reshape(*x.dims[:-1], 2, x.dims[-1] // 2)
    return x.reshape(graph.numel(x.dims)) if x.rank < 3 else x.reshape(graph.numel(x.dims[:-1]), x.dims[-1])


def _reduce(p: Program, x: Tensor) -> Tensor | None:
    if not x.rank:
        return None
    kind = p.choose("sum", "max", "min", "squares", "logsumexp")
    dim = p.draw(st.integers(0, x.rank - 1))
    if kind in ("max", "min"):
        return x.reduce(kind, dim, keep=p.draw(st.booleans()))
    if kind == "squares":
        return (x * x).mean(dim)
    if kind == "logsumexp":
        top = x.amax(dim, keep=True)
        return (x - top).unary("exp").mean(dim, keep=True).unary("log") + top
    return x.mean(dim) if p.draw(st.booleans()) else (x * 0.1).mean(*range(x.rank))


STEPS = {
    "product": _product,
    "product again": _product,
    "epilogue": _epilogue,
    "epilogue again": _epilogue,
    "view": _view,
    "reduce": _reduce,
    "norm": lambda p, x: _norm(p, x) if x.rank else None,
}


@st.composite
def _modules(draw: DrawFn) -> ModuleOp:
    program = Program(draw)
    program.start()
    first = _product(program, program.values[-1])
    assert first is not None
    program.keep(first)
    for _ in range(draw(st.integers(0, MAX_STEPS))):
        result = STEPS[draw(st.sampled_from(sorted(STEPS)))](program, program.pick())
        if result is not None:
            program.keep(result)
    others = draw(st.lists(st.sampled_from(program.all), max_size=3))
    return program.graph.returns(program.values[-1], *others)


def contraction_modules() -> SearchStrategy[ModuleOp]:
    """Modules of one function `@main` with at least one contraction."""
    return _modules()
