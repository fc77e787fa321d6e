"""Every dialect, pass and target by name, as `module:Class`.

Nothing here is imported before it is used, so the tools start fast and a tool that only reads `graph` never loads the
rest.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from xdsl.context import Context

DIALECTS: dict[str, str] = {
    "graph": "fusir.dialects.graph:Graph",
    "loop": "fusir.dialects.loop:Loop",
    "tt": "fusir.dialects.tt:Tt",
    "host": "fusir.dialects.host:Host",
    "builtin": "xdsl.dialects.builtin:Builtin",
    "func": "xdsl.dialects.func:Func",
    "arith": "fusir.dialects.tile_arith:TileArith",
    "math": "xdsl.dialects.math:Math",
    "scf": "xdsl.dialects.scf:Scf",
    "affine": "xdsl.dialects.affine:Affine",
    "memref": "xdsl.dialects.memref:MemRef",
}


class Entry(NamedTuple):
    """A class that a tool offers by name."""

    reference: str
    """Where it is, as `module:Class`."""
    summary: str
    """What it does, for `--help`."""

    def load(self) -> Any:
        """Import and return the class."""
        return factory(self.reference)()


PASSES: dict[str, Entry] = {
    "canonicalize": Entry("fusir.transforms.graph.canonicalize:CanonicalizePass", "fold and simplify graph ops"),
    "cse": Entry("fusir.transforms.graph.cse:CsePass", "merge equal ops"),
    "dce": Entry("fusir.transforms.graph.dce:DcePass", "remove ops whose results nobody uses"),
    "promote-precision": Entry(
        "fusir.transforms.graph.promote_precision:PromotePrecisionPass", "compute half precision in f32"
    ),
    "decompose": Entry("fusir.transforms.graph.decompose:DecomposePass", "write large ops as small ones"),
    "float32-products": Entry(
        "fusir.transforms.graph.float32_products:Float32ProductsPass", "set how products of f32 are computed"
    ),
    "align-contractions": Entry(
        "fusir.transforms.graph.align_contractions:AlignContractionsPass", "pad products whose rows are not aligned"
    ),
    "convolution-bias": Entry(
        "fusir.transforms.graph.convolution_bias:ConvolutionBiasPass", "add biases of convolutions in kernels"
    ),
    "channels-last": Entry(
        "fusir.transforms.graph.channels_last:ChannelsLastPass", "run convolutions with the channels fastest"
    ),
    "split-reductions": Entry(
        "fusir.transforms.graph.split_reductions:SplitReductionsPass", "cut reductions that keep few programs busy"
    ),
    "split-scans": Entry("fusir.transforms.graph.split_scans:SplitScansPass", "cut scans of few long rows"),
    "fuse-contractions": Entry(
        "fusir.transforms.graph.fuse_contractions:FuseContractionsPass",
        "contractions with what is around them to fusions",
    ),
    "fuse": Entry("fusir.transforms.graph.fuse:FusePass", "decide which ops share a kernel"),
    "choose-contractions": Entry(
        "fusir.transforms.graph.choose_contractions:ChooseContractionsPass",
        "keep fusions around contractions, with tiles, or dissolve them",
    ),
    "contract-to-aten": Entry(
        "fusir.transforms.graph.contract_to_aten:ContractToAtenPass", "contractions outside fusions to ATen's products"
    ),
    "scan-to-aten": Entry(
        "fusir.transforms.graph.scan_to_aten:ScanToAtenPass", "scans without a kernel of ours to ATen's"
    ),
    "convert-graph-to-loop": Entry("fusir.conversion.graph_to_loop:ConvertGraphToLoopPass", "fusions to loop kernels"),
    "loop-fuse": Entry("fusir.transforms.loop.loop_fuse:LoopFusePass", "merge the loop nests of a kernel"),
    "split-kernels": Entry(
        "fusir.transforms.loop.split_kernels:SplitKernelsPass", "a kernel for each nest that loop-fuse left"
    ),
    "loop-online": Entry("fusir.transforms.loop.online:LoopOnlinePass", "merge cascaded reductions into one walk"),
    "loop-schedule": Entry("fusir.transforms.loop.loop_schedule:LoopSchedulePass", "choose tiles, axes and warps"),
    "convert-loop-to-tt": Entry("fusir.conversion.loop_to_tt:ConvertLoopToTtPass", "loop kernels to Triton's IR"),
    "descriptors-to-pointers": Entry(
        "fusir.transforms.tt.descriptors_to_pointers:DescriptorsToPointersPass", "no tensor descriptors in tt"
    ),
    "plan-buffers": Entry("fusir.transforms.host.plan_buffers:PlanBuffersPass", "reuse and free buffers"),
}

TARGETS: dict[str, Entry] = {
    "mlir": Entry("xdsl.targets.mlir:MLIRTarget", "the module as text"),
    "triton": Entry("fusir.targets.triton:TritonTarget", "Triton source of the kernels"),
    "ttir": Entry("fusir.targets.ttir:TtirTarget", "the kernels as Triton's own IR"),
    "python": Entry("fusir.targets.python:PythonTarget", "one runnable Python module"),
}

FRONTENDS: dict[str, str] = {
    "mlir": "xdsl.frontend.mlir:MLIRFrontend",
}


def factory(reference: str) -> Callable[[], Any]:
    """A function that imports and returns the object that `module:Class` names."""
    module, _, name = reference.partition(":")

    def load() -> Any:
        return getattr(import_module(module), name)

    return load


def make_context() -> Context:
    """A context that knows every dialect of `DIALECTS` and loads each one when it is first met."""
    ctx = Context()
    for name, reference in DIALECTS.items():
        ctx.register_dialect(name, factory(reference))
    return ctx
