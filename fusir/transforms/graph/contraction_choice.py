"""What may become of a fusion around a contraction, who chooses, and what was chosen.

The chooser is a context variable: the compiler sets one where something can be measured (`fusir.runtime.tuning`), and
`choose-contractions` asks it. Like the remarks, the records of what was chosen go to a collector if one is open.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp

from fusir.dialects.loop import Tiles


@dataclass(frozen=True)
class Alternative:
    """One way to compute a fusion, and what was found out about it."""

    name: str
    """As `fused 128x256x64, 8 warps, 3 stages, group 8`, or `library`."""
    milliseconds: float | None = None
    """The median time of a run, None if it was not measured."""
    rejected: str = ""
    """Why it may not be chosen, however fast it is; empty if it may."""


@dataclass(frozen=True)
class Choice:
    """What becomes of a fusion; at most one of the three. Without any it is kept, and the schedule chooses tiles."""

    tiles: Tiles | None = None
    """It is one kernel with these tiles."""
    library: bool = False
    """It is dissolved: the library computes the contraction, kernels of ours the rest."""
    plain: Tiles | None = None
    """It is dissolved: a kernel of ours with these tiles computes the contraction alone, others the rest."""
    alternatives: tuple[Alternative, ...] = field(default=(), compare=False)
    """What was considered, the fastest first, those without a time last."""
    note: str = field(default="", compare=False)
    """Why nothing was measured, if so."""

    def __post_init__(self) -> None:
        if (self.tiles is not None) + self.library + (self.plain is not None) > 1:
            raise ValueError("a choice is one of tiles, library and plain")

    @property
    def name(self) -> str:
        """The name of the alternative that was chosen."""
        if self.library:
            return LIBRARY
        if self.plain is not None:
            return f"plain {tiles_text(self.plain)}"
        return "fused" if self.tiles is None else f"fused {tiles_text(self.tiles)}"


LIBRARY = "library"


def tiles_text(tiles: Tiles) -> str:
    """`128x256x64, 8 warps, 3 stages, group 8`: tiles as people write them. Other tiles have another text."""
    parts = [f"{tiles.m}x{tiles.n}x{tiles.k}", f"{tiles.warps} warps", f"{tiles.stages} stages"]
    for each in fields(tiles):
        value = getattr(tiles, each.name)
        if each.name not in ("m", "n", "k", "warps", "stages") and value != each.default:
            parts.append(f"{each.name} {value}")
    return ", ".join(parts)


class Chooser(Protocol):
    """Decides what becomes of fusions around contractions."""

    def prepare(self, modules: Sequence[ModuleOp]) -> None:
        """Start what takes long in the choices for these modules: all will be asked about, one after the other."""
        ...

    def choose(self, module: ModuleOp) -> Choice | None:
        """The choice for the only `graph.fusion` of the module, None to keep it as it is.

        The function `@main` of the module takes the inputs of the fusion and returns its results, in the layouts that
        they have in the program. The module belongs to the chooser.
        """
        ...


@dataclass(frozen=True)
class Contraction:
    """What became of one contraction."""

    place: str
    """`file:line`, or empty."""
    shape: str
    """As `8192x4096x4096 bf16`: rows, columns, contracted, with the batch in front if there is one."""
    operations: int | None
    """Multiplications and additions of all contractions of its fusion, None if an extent is dynamic."""
    choice: str
    """The name of the alternative that was chosen."""
    alternatives: tuple[Alternative, ...] = ()
    """What was considered, the fastest first, those without a time last; empty if nothing was measured."""
    note: str = ""
    """Why nothing was measured, if so."""

    @property
    def milliseconds(self) -> float | None:
        """The time of what was chosen."""
        return next((each.milliseconds for each in self.alternatives if each.name == self.choice), None)

    @property
    def tflops(self) -> float | None:
        """10^12 operations a second of what was chosen."""
        return self.tflops_of(self.milliseconds)

    def tflops_of(self, milliseconds: float | None) -> float | None:
        """10^12 operations a second if they take so long."""
        return self.operations / milliseconds / 1e9 if self.operations and milliseconds else None

    def __str__(self) -> str:
        if not self.alternatives:
            return f"{self.shape}: {self.choice}; {self.note or 'nothing was measured'}"
        timed = [each for each in self.alternatives if not each.rejected and each.milliseconds is not None]
        text = f"{self.shape}: {self.choice}{self._speed(self.milliseconds)}"
        others = [each for each in timed if each.name != self.choice]
        if others and self.milliseconds:
            percent = 100 * (others[0].milliseconds or 0) / self.milliseconds - 100
            text += f", {abs(percent):.1f}% {'faster' if percent >= 0 else 'slower'} than the next best"
        told = [f"{each.name}{self._speed(each.milliseconds)}" for each in others]
        told += [f"{each.name} rejected: {each.rejected}" for each in self.alternatives if each.rejected]
        return "; ".join([text, *told])

    def _speed(self, milliseconds: float | None) -> str:
        if milliseconds is None:
            return ""
        tflops = self.tflops_of(milliseconds)
        return f" {milliseconds:.4g} ms" + (f" ({tflops:.0f} TFLOP/s)" if tflops is not None else "")


_chooser: ContextVar[Chooser | None] = ContextVar("fusir_contraction_chooser", default=None)
_collector: ContextVar[list[Contraction] | None] = ContextVar("fusir_contractions", default=None)


@contextmanager
def use_chooser(chooser: Chooser | None) -> Generator[None]:
    """Let this chooser decide in the body; None: nobody."""
    token = _chooser.set(chooser)
    try:
        yield
    finally:
        _chooser.reset(token)


def current_chooser() -> Chooser | None:
    """Who decides now."""
    return _chooser.get()


@contextmanager
def collect_contractions() -> Generator[list[Contraction]]:
    """Collect what becomes of the contractions that are met in the body, in their order."""
    contractions: list[Contraction] = []
    token = _collector.set(contractions)
    try:
        yield contractions
    finally:
        _collector.reset(token)


def contractions_wanted() -> bool:
    """Whether a collector is open."""
    return _collector.get() is not None


def record_contraction(contraction: Contraction) -> None:
    """Tell the collector, if there is one."""
    contractions = _collector.get()
    if contractions is not None:
        contractions.append(contraction)
