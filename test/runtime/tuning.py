# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t %python %s
"""The tuner with a device that only pretends: what wins, what is rejected, what is kept on disk, and when it asks."""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from fusir.dialects.graph import ContractOp, FusionOp
from fusir.dialects.loop import TILES, Tiles
from fusir.interpreters.graph import interpret
from fusir.pipeline import make_pass, verify
from fusir.runtime.tuning.inputs import bytes_needed, main_of
from fusir.runtime.tuning.records import Records, decode, encode
from fusir.runtime.tuning.tuner import EFFORTS, Effort, Tuner
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import Alternative, Choice, use_chooser

CONTEXT = make_context()
CACHE = Path(os.environ["FUSIR_CACHE_DIR"])
SMALL, MIDDLE, LARGE = (Tiles(m=m, n=64, k=32, group=1, warps=4, stages=2) for m in (16, 32, 64))
FUSED = {tiles: f"fused {tiles.m}x64x32, 4 warps, 2 stages, group 1" for tiles in (SMALL, MIDDLE, LARGE)}
PLAIN = "plain 16x64x32, 4 warps, 2 stages, group 1"
DEFAULT = EFFORTS["default"]

TEXT = """
func.func @main(%x: tensor<32x64xbf16>, %w: tensor<64x48xbf16>, %b: tensor<48xbf16>) -> tensor<32x48xbf16> {
  %y = graph.fusion (%a = %x : tensor<32x64xbf16>, %c = %w : tensor<64x48xbf16>, %d = %b : tensor<48xbf16>) -> tensor<32x48xbf16> {
    %p = graph.contract %a, %c batch [], [] contract [1], [0] : (tensor<32x64xbf16>, tensor<64x48xbf16>) -> tensor<32x48xbf16>
    %q = graph.broadcast %d dims [1] : tensor<48xbf16> -> tensor<32x48xbf16>
    %r = graph.add %p, %q : tensor<32x48xbf16>
    graph.yield %r : tensor<32x48xbf16>
  }
  return %y : tensor<32x48xbf16>
}"""

Spoil = Callable[[list[torch.Tensor]], list[torch.Tensor]]


def name_of(module: ModuleOp) -> str:
    """The alternative that a module is."""
    fusions = [op for op in main_of(module).body.block.ops if isinstance(op, FusionOp) and TILES in op.attributes]
    if not fusions:
        return "library"
    alone = all(sum(isinstance(o, ContractOp) for o in f.block.ops) + 1 == len(list(f.block.ops)) for f in fusions)
    return Choice(**{"plain" if alone else "tiles": fusions[0].attributes[TILES].data}).name


class Pretended:
    """A device whose programs are interpreted, and whose clock has the times of a table."""

    device = torch.device("cpu")

    def __init__(self, times: dict[str, float], tiles: Sequence[Tiles] = (SMALL, MIDDLE, LARGE)) -> None:
        self.clock = times
        self.offered = list(tiles)
        self.spoiled: dict[str, Spoil] = {}
        self.broken: dict[str, str] = {}
        self.name = "pretended"
        self.free = 1 << 40
        self.busy: str | None = None
        self.built: list[str] = []
        self.rounds: list[tuple[list[str], int]] = []
        self.sessions = 0

    def identity(self) -> tuple[str, ...]:
        return (self.name,)

    def reason_against(self) -> str | None:
        return self.busy

    @contextmanager
    def session(self):
        self.sessions += 1
        yield

    def free_bytes(self) -> int:
        return self.free

    def tiles(self, module: ModuleOp, effort: str) -> list[Tiles]:
        verify(module)
        return self.offered

    def build(self, modules: Sequence[ModuleOp]) -> list[Any]:
        return [self._program(module) for module in modules]

    def _program(self, module: ModuleOp) -> Any:
        verify(module)
        name = name_of(module)
        self.built.append(name)
        if name in self.broken:
            return self.broken[name]

        def program(inputs: list[Any]) -> list[torch.Tensor]:
            return self.spoiled.get(name, list)(interpret(module, inputs))

        program.alternative = name
        return program

    def times(self, programs: Sequence[Any], inputs: list[Any], runs: int) -> list[float]:
        names = [program.alternative for program in programs]
        self.rounds.append((names, runs))
        return [self.clock[name] for name in names]


TIMES = {"library": 1.0, PLAIN: 1.2, FUSED[SMALL]: 0.9, FUSED[MIDDLE]: 0.7, FUSED[LARGE]: 0.8}


def parse(text: str = TEXT) -> ModuleOp:
    return Parser(CONTEXT, text).parse_module()


def tuned(device: Pretended, records: Records | None = None, effort: Effort = DEFAULT, text: str = TEXT) -> Choice:
    """What is chosen by a tuner that knows nothing but what is on disk."""
    choice = Tuner(device, records or Records(), effort).choose(parse(text))
    assert choice is not None
    return choice


def times(choice: Choice) -> dict[str, float | None]:
    return {each.name: each.milliseconds for each in choice.alternatives}


def rejected(choice: Choice) -> dict[str, str]:
    return {each.name: each.rejected for each in choice.alternatives if each.rejected}


def device_with(name: str, **changes: Any) -> Pretended:
    """A device of a name of its own, so that nothing of it is on disk."""
    device = Pretended(dict(TIMES))
    device.name = name
    for key, value in changes.items():
        setattr(device, key, value)
    return device


# The fastest right one wins. All are measured a few times, three and the library thoroughly.
device = device_with("fastest")
choice = tuned(device)
assert choice == Choice(tiles=MIDDLE) and times(choice) == TIMES and not rejected(choice)
assert list(times(choice)) == [FUSED[MIDDLE], FUSED[LARGE], FUSED[SMALL], "library", PLAIN]
assert device.built == ["library", FUSED[SMALL], FUSED[MIDDLE], FUSED[LARGE], PLAIN]
assert [len(names) for names, _ in device.rounds] == [5, 5, 4] and device.rounds[-1][1] >= 15
assert PLAIN not in device.rounds[-1][0] and device.sessions == 1

# What is on disk is not measured again, by this process or another; another device or effort is.
assert tuned(device).alternatives == choice.alternatives and device.sessions == 1
again = device_with("fastest")
assert tuned(again) == choice and not again.built
assert tuned(device_with("other device")).tiles == MIDDLE
tuned(again, effort=EFFORTS["max"])
assert len(again.built) == 7, again.built
reader = Tuner(device_with("fastest"), Records(), DEFAULT, measures=False)
assert reader.choose(parse()) == choice
assert Tuner(device_with("unseen"), Records(), DEFAULT, measures=False).choose(parse()) is None


# A wrong one is rejected however fast it is, and stays rejected.
def shifted(results: list[torch.Tensor]) -> list[torch.Tensor]:
    return [result.roll(1, 0) for result in results]


device = device_with("wrong", spoiled={FUSED[MIDDLE]: shifted})
choice = tuned(device)
assert choice.tiles == LARGE and list(rejected(choice)) == [FUSED[MIDDLE]]
assert rejected(choice)[FUSED[MIDDLE]].startswith("wrong result 0: a relative error of")
assert all(FUSED[MIDDLE] not in names for names, _ in device.rounds), "nobody waits for a wrong result"
assert rejected(tuned(device_with("wrong"))) == rejected(choice)


# So is what gives NaN or infinity, does not build, or raises.
def poisoned(value: float) -> Spoil:
    def spoil(results: list[torch.Tensor]) -> list[torch.Tensor]:
        results[0][-1, -1] = value
        return results

    return spoil


def raising(results: list[torch.Tensor]) -> list[torch.Tensor]:
    raise RuntimeError("out of resource:\nshared memory")


device = device_with(
    "broken",
    spoiled={FUSED[SMALL]: poisoned(float("nan")), FUSED[MIDDLE]: poisoned(float("inf")), FUSED[LARGE]: raising},
    broken={PLAIN: "CompilationError: no"},
)
choice = tuned(device)
assert choice == Choice(library=True) and not device.rounds, "the library is alone"
assert rejected(choice) == {
    FUSED[SMALL]: "wrong result 0: 1 elements are not finite",
    FUSED[MIDDLE]: "wrong result 0: 1 elements are not finite",
    FUSED[LARGE]: "RuntimeError: out of resource:",
    PLAIN: "CompilationError: no",
}

# The library wins ties, and what is less than the noise.
for name, ours, wins in (("tie", 1.0, False), ("noise", 0.996, False), ("better", 0.99, True), ("worse", 1.1, False)):
    choice = tuned(device_with(name, clock=dict.fromkeys(TIMES, 2.0) | {"library": 1.0, FUSED[SMALL]: ours}))
    assert choice == (Choice(tiles=SMALL) if wins else Choice(library=True)), name
assert tuned(device_with("plain", clock=TIMES | {PLAIN: 0.1})) == Choice(plain=SMALL)
assert tuned(device_with("nothing to try", offered=[])) == Choice(library=True)

# Time is bounded: at most 5 tiles by default, few runs of what is slow.
many = [replace(SMALL, stages=stages) for stages in range(1, 20)]
clock = {Choice(tiles=tiles).name: 300.0 for tiles in many} | {"library": 300.0, Choice(plain=many[0]).name: 300.0}
device = device_with("slow", offered=many, clock=clock)
tuned(device)
assert len(device.built) == 7 and [runs for _, runs in device.rounds] == [1, 1, 5]

# What cannot be measured now goes to the library, and is measured another time.
device = device_with("no memory", free=bytes_needed(parse(), torch.float32) - 1)
choice = tuned(device)
assert choice == Choice(library=True) and choice.note == "there is too little free memory to measure it"
assert not device.built
device = device_with("no memory", free=int(bytes_needed(parse(), torch.float32) / 0.9) + 1)
assert tuned(device).tiles == MIDDLE, "the reference is in f32"
device = device_with("recording", busy="a CUDA graph is being recorded")
choice = tuned(device)
assert choice == Choice(library=True) and choice.note == "a CUDA graph is being recorded" and not device.sessions
assert tuned(device_with("recording")).tiles == MIDDLE


def no_memory(results: list[torch.Tensor]) -> list[torch.Tensor]:
    raise torch.OutOfMemoryError("out of memory")


choice = tuned(device_with("full", spoiled={FUSED[SMALL]: no_memory}))
assert choice == Choice(library=True) and choice.note == "OutOfMemoryError: out of memory"
assert tuned(device_with("full")).tiles == MIDDLE


def unknown() -> tuple[str, ...]:
    raise RuntimeError("no driver")


choice = tuned(device_with("unknown", identity=unknown))
assert choice == Choice(library=True) and choice.note == "RuntimeError: no driver"
choice = tuned(device_with("no library", broken={"library": "no such product"}))
assert choice.library and choice.note == "the library does not compute it: no such product"


# A broken file is made again, one of another version too.
def entries() -> list[Path]:
    return sorted(CACHE.glob("tuning/*/*/choice.json"))


before = {path: path.read_text() for path in entries()}
tuned(device_with("damaged"))
(path,) = [path for path in entries() if path not in before]
text = path.read_text()
for damage in ("{", '{"tiles": 3}'):
    path.write_text(damage)
    device = device_with("damaged")
    assert tuned(device).tiles == MIDDLE and device.built and path.read_text() == text
old = path.parent / "entry.json"
for content in ('{"tiles": 3}', '{"tiles": {"rows": 3}, "library": false, "plain": null, "alternatives": []}', "[]"):
    path.write_text(content)
    old.write_text(json.dumps({"choice.json": hashlib.sha256(content.encode()).hexdigest()}))
    device = device_with("damaged")
    assert tuned(device).tiles == MIDDLE and device.built and path.read_text() == text
sample = Choice(plain=LARGE, alternatives=(Alternative("library", 0.1), Alternative("fused", None, "wrong")))
assert decode(encode(sample)) == sample and decode(encode(sample)).alternatives == sample.alternatives

# Without a disk, and where it cannot be written, the process remembers.
for changes in ({"FUSIR_DISABLE_CACHE": "1"}, {"FUSIR_CACHE_DIR": str(path)}):
    kept = dict(os.environ)
    os.environ.update(changes)
    records, device = Records(), device_with("no disk")
    assert tuned(device, records).tiles == tuned(device, records).tiles == MIDDLE and device.sessions == 1
    os.environ.clear()
    os.environ.update(kept)

# The user's random numbers are not touched.
torch.manual_seed(1)
state = torch.get_rng_state()
tuned(device_with("random"))
assert torch.equal(torch.get_rng_state(), state)

# Through the pass: each distinct fusion is tuned once.
two = TEXT.replace("%x: tensor<32x64xbf16>", "%x: tensor<32x64xbf16>, %v: tensor<64x48xbf16>").splitlines()
body = two[2:-2]
second = [line.replace("%y =", "%z =").replace("%w :", "%v :") for line in body]
two = "\n".join([*two[:2], *body, *second, "  return %y, %z : tensor<32x48xbf16>, tensor<32x48xbf16>", "}"])
two = two.replace("-> tensor<32x48xbf16> {", "-> (tensor<32x48xbf16>, tensor<32x48xbf16>) {", 1)
module, device = parse(two), device_with("pass")
with use_chooser(Tuner(device, Records(), DEFAULT)):
    make_pass("choose-contractions").apply(CONTEXT, module)
assert device.sessions == 1
assert [op.attributes[TILES].data for op in module.walk() if isinstance(op, FusionOp)] == [MIDDLE, MIDDLE]

# A contraction alone has no plain alternative: it is that. What gathers is not measured.
ALONE = """
func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %y = graph.fusion (%a = %x : tensor<32x64xf32>, %c = %w : tensor<64x48xf32>) -> tensor<32x48xf32> {
    %p = graph.contract %a, %c batch [], [] contract [1], [0] : (tensor<32x64xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
    graph.yield %p : tensor<32x48xf32>
  }
  return %y : tensor<32x48xf32>
}"""
device = device_with("alone")
device.clock |= {Choice(plain=tiles).name: TIMES[name] for tiles, name in FUSED.items()}
assert tuned(device, text=ALONE) == Choice(tiles=MIDDLE) and len(device.built) == 4
gathered = "%g = graph.gather %a[%i0] dims [0] : (tensor<32x64xf32>, tensor<32xi64>) -> tensor<32x64xf32>"
GATHER = ALONE.replace(", %w:", ", %i: tensor<32xi64>, %w:").replace(", %c =", ", %i0 = %i : tensor<32xi64>, %c =")
GATHER = GATHER.replace("    %p = graph.contract %a,", f"    {gathered}\n    %p = graph.contract %g,")
choice = tuned(device_with("gather"), text=GATHER)
assert choice == Choice(library=True) and choice.note.startswith("it gathers")
