"""A hypothesis strategy for tensor-level modules.

Every module that it draws is well defined: values stay within a bound that the generator tracks, so that no result is a
difference of huge numbers, and decisions (comparisons, argmax) are made only on values that no rounding has touched.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph_builder import BINARY, Graph, Tensor
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from xdsl.dialects.builtin import ModuleOp

from fusir.dialects.graph import Dim, numel

EXTENTS = (1, 2, 3, 4, 5, 7, 8, 16, 33)
LARGE_EXTENTS = (65, 130, 1000, 2049)
MAX_ELEMENTS = 20_000
SYMBOL_MAX = 24
"""The largest value of the symbolic dim that some programs have."""
MAX_STEPS = 12
INPUT_BOUND = 3.0
"""Random floats lie within this distance of 0."""
LARGEST = {"f32": 64.0, "bf16": 8.0, "f16": 8.0}
"""How far values may be from 0; half precision keeps an absolute error of about 2^-8 of it."""
INTEGERS = ("i32", "i64", "i8", "ui8")

SHRINKING = ("tanh", "sin", "cos", "sigmoid", "erf")
EXACT = ("neg", "abs", "relu")
INTEGER_BINARY = ("add", "sub", "mul", "maximum", "minimum", "and", "or", "xor")


@dataclass(frozen=True)
class Value:
    """A tensor with what is known of it. Integers are always exact, and their bound is 0."""

    tensor: Tensor
    bound: float
    exact: bool

    def derived(self, tensor: Tensor) -> Value:
        """A view of it, or a function that needs no rounding."""
        return Value(tensor, self.bound, self.exact)


class Program:
    """A graph that grows by random steps."""

    def __init__(self, draw: DrawFn):
        self.draw = draw
        self.graph = Graph("random")
        self.element = draw(st.sampled_from(("f32", "f32", "f32", "bf16", "f16", *INTEGERS)))
        self.is_float = self.element in LARGEST
        self.limit = LARGEST.get(self.element, 0.0)
        self.values: list[Value] = []

    def argument(self, dims: tuple[Dim, ...]) -> None:
        tensor = self.graph.arg(self.element, *dims)
        self.values.append(Value(tensor, INPUT_BOUND if self.is_float else 0.0, True))

    def static_dim(self, tensor: Tensor) -> int | None:
        """One of the dims whose extent is a number, if there is one."""
        dims = [i for i, extent in enumerate(tensor.dims) if isinstance(extent, int)]
        return self.draw(st.sampled_from(dims)) if dims else None

    def pick(self) -> Value:
        """A value, the newest more often than the others."""
        return self.draw(st.sampled_from((*self.values, *self.values[-2:])))

    def small(self, value: Value, bound: float) -> Value:
        """The value itself or its tanh, whichever is within the bound."""
        return value if value.bound <= bound else Value(value.tensor.unary("tanh"), 1.0, False)

    def step(self) -> None:
        steps = STEPS if self.is_float else {**STEPS, **INTEGER_STEPS}
        kind = self.draw(st.sampled_from(sorted(steps)))
        result = steps[kind](self, self.pick())
        if result is not None and _size(result.tensor) <= MAX_ELEMENTS:
            self.values.append(result)


def _size(tensor: Tensor) -> int:
    size = 1
    for extent in _extents(tensor):
        size *= extent
    return size


def _extents(tensor: Tensor) -> tuple[int, ...]:
    """The largest extents that the dims of a tensor may have."""
    return tuple(d if isinstance(d, int) else d.eval([], [SYMBOL_MAX]) for d in tensor.dims)


def _unary(p: Program, x: Value) -> Value:
    name = p.draw(st.sampled_from((*SHRINKING, *EXACT, "exp", "log", "rsqrt", "reciprocal")))
    t = x.tensor
    if name in SHRINKING:
        return Value(t.unary(name), 1.0, False)
    if name in EXACT:
        return x.derived(t.unary(name))
    if name == "exp":
        return Value(p.small(x, 2.0).tensor.unary("exp"), 7.5, False)
    if name == "log":
        return Value((t.unary("abs") + 0.5).unary("log"), 5.0, False)
    return Value((t.unary("abs") + 0.5).unary(name), 2.0, False)


def _binary(p: Program, x: Value) -> Value:
    y = p.pick()
    if not _broadcastable(x.tensor, y.tensor):
        y = x
    name = p.draw(st.sampled_from(("add", "sub", "mul", "maximum", "minimum", "div")))
    if name in ("maximum", "minimum"):
        return Value(x.tensor.binary(BINARY[name], y.tensor), max(x.bound, y.bound), x.exact and y.exact)
    if name == "div":
        return Value(x.tensor / (y.tensor.unary("abs") + 0.5), 2 * x.bound, False)
    x, y = p.small(x, p.limit / 2), p.small(y, p.limit / 2)
    if name == "mul":
        y = p.small(y, p.limit / x.bound)
        return Value(x.tensor * y.tensor, x.bound * y.bound, False)
    return Value(x.tensor.binary(BINARY[name], y.tensor), x.bound + y.bound, False)


def _scalar(p: Program, x: Value) -> Value:
    factor = p.draw(st.sampled_from((-1.0, 0.5, 0.1, 2.0)))
    if p.draw(st.booleans()):
        return Value(x.tensor + factor, x.bound + 2.0, False)
    return Value(p.small(x, p.limit / 2).tensor * factor, p.limit, False)


def _broadcastable(x: Tensor, y: Tensor) -> bool:
    pairs = zip(reversed(x.dims), reversed(y.dims), strict=False)
    return all(a == b or a == 1 or b == 1 for a, b in pairs)


def _select(p: Program, x: Value) -> Value | None:
    if not x.exact:
        return None
    threshold = p.draw(st.sampled_from((-0.7, 0.0, 0.6)))
    predicate = p.draw(st.sampled_from(("lt", "ge", "ne")))
    other = p.pick()
    if not _broadcastable(x.tensor, other.tensor):
        return x.derived(x.tensor.compare(predicate, threshold).select(x.tensor, 0.0))
    chosen = x.tensor.compare(predicate, threshold).select(other.tensor, x.tensor)
    return Value(chosen, max(x.bound, other.bound), x.exact and other.exact)


def _reduce(p: Program, x: Value) -> Value | None:
    if x.tensor.rank == 0 or _size(x.tensor) == 0:
        return None
    dims = p.draw(st.lists(st.integers(0, x.tensor.rank - 1), min_size=1, max_size=x.tensor.rank, unique=True))
    keep = p.draw(st.booleans())
    kind = p.draw(st.sampled_from(("sum", "max", "min", "mean" if p.is_float else "prod")))
    if kind in ("max", "min") or not p.is_float:
        return x.derived(x.tensor.reduce(kind, *dims, keep=keep))
    extents = _extents(x.tensor)
    count = 1
    for d in dims:
        count *= extents[d]
    if kind == "sum":
        x = p.small(x, p.limit)
        if x.bound * count <= p.limit:
            return Value(x.tensor.sum(*dims, keep=keep), x.bound * count, False)
    return Value((x.tensor * (1 / count)).sum(*dims, keep=keep), x.bound, False)


def _permute(p: Program, x: Value) -> Value:
    return x.derived(x.tensor.permute(*p.draw(st.permutations(range(x.tensor.rank)))))


def _reshape(p: Program, x: Value) -> Value:
    """Flatten, or split one dim, or merge two neighbours."""
    dims = x.tensor.dims
    where = p.draw(st.integers(0, len(dims)))
    if where == len(dims):
        return x.derived(x.tensor.reshape(numel(dims)))
    extent = dims[where]
    factors = [f for f in (2, 3, 4, 5, 8) if isinstance(extent, int) and extent % f == 0]
    if factors and isinstance(extent, int) and p.draw(st.booleans()):
        factor = p.draw(st.sampled_from(factors))
        return x.derived(x.tensor.reshape(*dims[:where], extent // factor, factor, *dims[where + 1 :]))
    if where + 1 < len(dims):
        return x.derived(x.tensor.reshape(*dims[:where], numel(dims[where : where + 2]), *dims[where + 2 :]))
    return x.derived(x.tensor.reshape(*dims, 1))


def _slice(p: Program, x: Value) -> Value | None:
    dim = p.static_dim(x.tensor)
    if dim is None:
        return None
    extent = _extents(x.tensor)[dim]
    start = p.draw(st.integers(0, extent - 1))
    stop = p.draw(st.integers(start + 1, extent))
    return x.derived(x.tensor.slice(dim, start, stop, p.draw(st.integers(1, 3))))


def _pad(p: Program, x: Value) -> Value:
    low = [p.draw(st.integers(0, 2)) if isinstance(d, int) else 0 for d in x.tensor.dims]
    high = [p.draw(st.integers(0, 2)) if isinstance(d, int) else 0 for d in x.tensor.dims]
    value = p.draw(st.sampled_from((0, 1)))
    return x.derived(x.tensor.pad(low, high, float(value) if p.is_float else value))


def _concat(p: Program, x: Value) -> Value | None:
    dim = p.static_dim(x.tensor)
    if dim is None:
        return None
    others = [v for v in p.values if _same_but(v.tensor, x.tensor, dim)]
    y = p.draw(st.sampled_from(others))
    return Value(p.graph.concat(dim, x.tensor, y.tensor), max(x.bound, y.bound), x.exact and y.exact)


def _same_but(x: Tensor, y: Tensor, dim: int) -> bool:
    return x.rank == y.rank and all(a == b for i, (a, b) in enumerate(zip(x.dims, y.dims, strict=True)) if i != dim)


def _reverse(p: Program, x: Value) -> Value | None:
    if x.tensor.rank == 0:
        return None
    return x.derived(x.tensor.reverse(p.draw(st.integers(0, x.tensor.rank - 1))))


def _broadcast(p: Program, x: Value) -> Value | None:
    if x.tensor.rank >= 4:
        return None
    return x.derived(x.tensor.broadcast((p.draw(st.sampled_from((2, 3, 5))), *x.tensor.dims)))


def _softmax(p: Program, x: Value) -> Value | None:
    if x.tensor.rank == 0 or _size(x.tensor) == 0:
        return None
    dim = p.draw(st.integers(0, x.tensor.rank - 1))
    e = (x.tensor - x.tensor.amax(dim, keep=True)).unary("exp")
    return Value(e / e.sum(dim, keep=True), 1.0, False)


def _argmax(p: Program, x: Value) -> Value | None:
    if not x.exact or x.tensor.rank == 0 or _size(x.tensor) == 0:
        return None
    dim = p.draw(st.integers(0, x.tensor.rank - 1))
    kind = p.draw(st.sampled_from(("argmax", "argmin")))
    position = x.tensor.scan(kind, dim) if p.draw(st.booleans()) else x.tensor.reduce(kind, dim)
    if not p.is_float:
        return x.derived(position.convert(p.element))
    return Value(position.convert(p.element) * (INPUT_BOUND / MAX_ELEMENTS), INPUT_BOUND, False)


def _gather(p: Program, x: Value) -> Value | None:
    dim = p.static_dim(x.tensor)
    if dim is None:
        return None
    index = p.graph.arg("i64", p.draw(st.sampled_from((1, 4, 6))), low=0, high=_extents(x.tensor)[dim] - 1)
    return x.derived(x.tensor.gather([index], [dim]))


def _pick(p: Program, x: Value) -> Value | None:
    """Elements along a dim, each at the place of its own row in the other dims."""
    dim = p.static_dim(x.tensor)
    if dim is None:
        return None
    dims = [p.draw(st.sampled_from((1, 1, 3))) if i == dim else extent for i, extent in enumerate(x.tensor.dims)]
    places = [p.graph.iota(i, *dims) for i in range(x.tensor.rank)]
    places[dim] = p.graph.arg("i64", *dims, low=0, high=_extents(x.tensor)[dim] - 1)
    return x.derived(x.tensor.gather(places, range(x.tensor.rank)))


def _scan(p: Program, x: Value) -> Value | None:
    if x.tensor.rank == 0 or _size(x.tensor) == 0:
        return None
    dim = p.draw(st.integers(0, x.tensor.rank - 1))
    kind = p.draw(st.sampled_from(("sum", "max", "min")))
    if kind != "sum" or not p.is_float:
        return x.derived(x.tensor.scan(kind, dim))
    return Value((x.tensor * (1 / _extents(x.tensor)[dim])).scan("sum", dim), x.bound, False)


def _contract(p: Program, x: Value) -> Value | None:
    """The product of the last dim with a new argument."""
    if not p.is_float or x.tensor.rank == 0:
        return None
    inner = _extents(x.tensor)[-1]
    if inner != x.tensor.dims[-1]:
        return None
    x = p.small(x, p.limit / INPUT_BOUND)
    weight = p.graph.arg(p.element, inner, p.draw(st.sampled_from((1, 5, 16))))
    return Value((x.tensor * (1 / inner)).matmul(weight), x.bound * INPUT_BOUND, False)


def _integer_unary(p: Program, x: Value) -> Value:
    return x.derived(x.tensor.unary(p.draw(st.sampled_from((*EXACT, "not")))))


def _integer_binary(p: Program, x: Value) -> Value:
    y = p.pick()
    if not _broadcastable(x.tensor, y.tensor):
        y = x
    return x.derived(x.tensor.binary(BINARY[p.draw(st.sampled_from(INTEGER_BINARY))], y.tensor))


def _integer_scalar(p: Program, x: Value) -> Value:
    name, scalar = p.draw(st.sampled_from((("add", 1), ("mul", 3), ("div", 2), ("mod", 5), ("shr", 1))))
    return x.derived(x.tensor.binary(BINARY[name], scalar))


def _integer_select(p: Program, x: Value) -> Value:
    predicate = p.draw(st.sampled_from(("lt", "ge", "ne")))
    return x.derived(x.tensor.compare(predicate, p.draw(st.sampled_from((0, 30)))).select(x.tensor, 7))


STEPS = {
    "unary": _unary,
    "binary": _binary,
    "binary again": _binary,
    "scalar": _scalar,
    "select": _select,
    "reduce": _reduce,
    "reduce again": _reduce,
    "permute": _permute,
    "reshape": _reshape,
    "slice": _slice,
    "pad": _pad,
    "concat": _concat,
    "reverse": _reverse,
    "broadcast": _broadcast,
    "softmax": _softmax,
    "argmax": _argmax,
    "gather": _gather,
    "pick": _pick,
    "scan": _scan,
    "contract": _contract,
}

INTEGER_STEPS = {
    "unary": _integer_unary,
    "binary": _integer_binary,
    "binary again": _integer_binary,
    "scalar": _integer_scalar,
    "select": _integer_select,
    "softmax": _integer_binary,
}
"""The steps that integer programs take in place of those of floats."""


@st.composite
def _modules(draw: DrawFn) -> ModuleOp:
    program = Program(draw)
    dims: list[Dim] = list(draw(st.lists(st.sampled_from(EXTENTS), min_size=1, max_size=3)))
    choice = draw(st.integers(0, 5))
    if choice == 0:
        dims[draw(st.integers(0, len(dims) - 1))] = program.graph.symbol(2, SYMBOL_MAX)
    elif choice == 1 and len(dims) < 3:
        dims[draw(st.integers(0, len(dims) - 1))] = draw(st.sampled_from(LARGE_EXTENTS))
    program.argument(tuple(dims))
    for _ in range(draw(st.integers(0, 2))):
        program.argument(tuple(1 if draw(st.integers(0, 3)) == 0 else d for d in dims))
    inputs = len(program.values)
    for _ in range(draw(st.integers(1, MAX_STEPS))):
        program.step()
    results = program.values[inputs:] or program.values[:1]
    others = draw(st.lists(st.sampled_from(results), max_size=2))
    return program.graph.returns(results[-1].tensor, *(each.tensor for each in others))


# Hypothesis shows a module that fails a test as its text.
setattr(ModuleOp, "_repr_pretty_", lambda module, printer, _cycle: printer.text(f"\n{module}\n"))  # noqa: B010


def modules() -> SearchStrategy[ModuleOp]:
    """Modules of one function `@main` with one to three arguments of one element type and up to a dozen steps."""
    return _modules()
