"""Runs every pass over graphs and checks what a pass promises.

    python check_passes.py <group>...        the graphs of test/corpus/<group>
    python check_passes.py <file>...         single graphs

Each pass of the default pipeline runs in its order, each pass of the tensor level also on its own, and so do those with
options that only GPUs have by default; fusions around
contractions are kept, given to a library, and taken apart into kernels of ours. After each pass the module verifies, its
text parses to the same text, and the interpreters give what they gave for the graph. A graph that fails is named with
the pass and the first wrong element.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import torch
from agreement import Disagreement, Input, compare, random_inputs, run, seed_of
from choosers import CHOOSERS
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.arg_spec import parse_pipeline

from fusir.pipeline import make_pass, pass_names, verify
from fusir.tools.registry import make_context
from fusir.transforms.graph.contraction_choice import use_chooser

CORPUS = Path(__file__).parent.parent / "corpus"

TENSOR_PASSES = tuple(dict.fromkeys(pass_names("fused")))
"""The passes that keep a module at the tensor level."""


OF_GPUS: tuple[tuple[str, ...], ...] = (
    ("convolution-bias{mode=always}",),
    ("channels-last{mode=always}",),
    ("convolution-bias{mode=always}", "channels-last{mode=always products=true}"),
)
"""Passes with options that make them do what they do for a GPU."""

Examples: TypeAlias = "Sequence[tuple[list[Input], list[Input]]]"
"""Inputs of a graph with its results."""


def check_graph(module: ModuleOp, seed: int, ctx: Context | None = None) -> None:
    """Check every pass on one graph. Raises what the first failing pass raises, with a note that names the pass."""
    ctx = ctx or make_context()
    examples = [
        (inputs, run(module, inputs)) for inputs in (random_inputs(module, seed), random_inputs(module, seed, True))
    ]
    for name in TENSOR_PASSES:
        _check_pass(ctx, module.clone(), name, f"{name} alone", examples)
    for specs in OF_GPUS:
        special = module.clone()
        changes = [_check_pass(ctx, special, spec, f"{spec} alone", examples) for spec in specs]
        if any(changes):
            _check_rest(ctx, special, pass_names(), " ".join(specs), examples)
    names = pass_names()
    choosing = names.index("choose-contractions")
    lowered = module.clone()
    _check_passes(ctx, lowered, names[:choosing], "", examples)
    for what, chooser in CHOOSERS.items():
        chosen = lowered.clone()
        with use_chooser(chooser):
            if _check_pass(ctx, chosen, names[choosing], f"--{names[choosing]} with {what}", examples):
                _check_rest(ctx, chosen, names[choosing + 1 :], what, examples)
    _check_passes(ctx, lowered, names[choosing:], "", examples)


def _check_passes(ctx: Context, module: ModuleOp, names: Sequence[str], what: str, examples: Examples) -> None:
    """Run and check some passes one after the other."""
    for name in names:
        what += f" --{name}"
        _check_pass(ctx, module, name, what.strip(), examples)


def _check_rest(ctx: Context, module: ModuleOp, names: Sequence[str], what: str, examples: Examples) -> None:
    """Run some passes, and check what they have made in the end."""
    try:
        for name in names:
            make_pass(name).apply(ctx, module)
        verify(module)
        for inputs, expected in examples:
            compare(expected, run(module, inputs), names[-1])
    except Exception as error:
        error.add_note(f"after {what}, then all passes to --{names[-1]}")
        raise


def _check_pass(ctx: Context, module: ModuleOp, name: str, what: str, examples: Examples) -> bool:
    """Run a pass, check it if it changes the module, and return whether it does."""
    before = str(module)
    try:
        (spec,) = parse_pipeline(name)
        make_pass(spec.name, {spec.name: spec.parameters}).apply(ctx, module)
        verify(module)
        text = str(module)
        if text == before:
            return False
        again = str(Parser(make_context(), text).parse_module())
        if again != text:
            raise Disagreement("the text does not parse to itself")
        for inputs, expected in examples:
            compare(expected, run(module, inputs), name)
    except Exception as error:
        error.add_note(f"after {what}")
        raise
    return True


def parse(path: Path) -> ModuleOp:
    """The module of a file."""
    return Parser(make_context(), path.read_text(), str(path)).parse_module()


def files_of(arguments: Iterable[str]) -> Iterator[Path]:
    """The graphs that the command line names."""
    for argument in arguments:
        if Path(argument).is_file():
            yield Path(argument)
        else:
            files = sorted((CORPUS / argument).glob("*.mlir"))
            assert files, f"no graphs in {CORPUS / argument}"
            yield from files


def main(arguments: list[str]) -> None:
    torch.set_num_threads(1)
    failures = 0
    count = 0
    for path in files_of(arguments):
        count += 1
        try:
            check_graph(parse(path), seed_of(path.stem))
        except Exception as error:  # every graph is tried before the run fails
            failures += 1
            note = "; ".join(getattr(error, "__notes__", [])[-1:])
            place = traceback.extract_tb(error.__traceback__)[-1]
            message = str(error).strip() or type(error).__name__
            print(f"{path.parent.name}/{path.stem}: {note}: {type(error).__name__}: {message}")
            if not isinstance(error, Disagreement):
                print(f"    at {place.filename}:{place.lineno} in {place.name}")
    print(f"{count - failures} of {count} graphs agree")
    if failures:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
