"""`fusir-opt`: run passes over a `.mlir` file and print the result.

Every pass is a flag, and the flags run in their order:

    fusir-opt model.mlir --cse --canonicalize --fuse
    fusir-opt model.mlir --fuse='max-ops=16'               options, as `fuse{max-ops=16}` with -p
    fusir-opt model.mlir --pipeline -t triton              the default pipeline, to Triton source
    fusir-opt model.mlir --pipeline=upto=loop              the default pipeline, to a stage
    fusir-opt model.mlir -p 'cse,fuse' --remarks           passes as in xdsl-opt; decisions on stderr

A mistake in the input or on the command line is one line on stderr, `file:line:col: error: ...`, and exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import IO, ClassVar, NoReturn

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import parse_pipeline, parse_spec
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError, VerifyException
from xdsl.utils.lexer import Location
from xdsl.utils.mlir_lexer import MLIRTokenKind
from xdsl.xdsl_opt_main import xDSLOptMain

from fusir import remarks
from fusir.analysis.dominance import verify_dominance
from fusir.diagnostics import CompileError, place_of
from fusir.pipeline import STAGE_ENDS, STAGE_NAMES, pass_names, paused_collector
from fusir.tools.registry import DIALECTS, FRONTENDS, PASSES, TARGETS, factory
from fusir.tools.user_error import UserError

PROGRAM = "fusir-opt"
PIPELINE_FLAG = "pipeline"


def expand_pass_flags(argv: Sequence[str]) -> list[str]:
    """Gather pass flags, `--pipeline` and `-p` of a command line into one `-p`, in their order.

    `--fuse` and `--fuse=limit=4` are the passes `fuse` and `fuse{limit=4}`; `--pipeline=upto=loop` is every pass of the
    default pipeline down to the stage `loop`. argparse alone cannot do this: it forgets the order of different flags.
    """
    passes: list[str] = []
    others: list[str] = []
    arguments = iter(argv)
    for argument in arguments:
        flag, has_value, value = argument.partition("=")
        name = flag.removeprefix("--") if flag.startswith("--") else ""
        if name == PIPELINE_FLAG:
            passes.extend(_pipeline_passes(value) if has_value else pass_names())
        elif name in PASSES:
            passes.append(f"{name}{{{value}}}" if value else name)
        elif argument in ("-p", "--passes"):
            passes.append(next(arguments, ""))
        elif name == "passes":
            passes.append(value)
        else:
            others.append(argument)
    return [*others, "-p", ",".join(each for each in passes if each)]


def _pipeline_passes(value: str) -> tuple[str, ...]:
    """The passes of `--pipeline=upto=<stage>`."""
    option, _, stage = value.partition("=")
    if option != "upto" or stage not in STAGE_NAMES:
        raise UserError(f"--pipeline takes upto={'|'.join(STAGE_NAMES)}, not '{value}'", PROGRAM)
    return pass_names(stage)


class _LocatingParser(Parser):
    """A parser that remembers where each op begins, for errors that name a place.

    With `locate`, ops without a location get that place as theirs, so that remarks name it.
    """

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int, locate: bool):
        super().__init__(ctx, text, name)
        self.line_offset: int = line_offset
        self.locate: bool = locate
        self.begins: dict[Operation, int] = {}
        self.line_starts: list[int] = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]

    @override
    def parse_operation(self) -> Operation:
        begin = self._current_token.span.start
        op = super().parse_operation()
        self.begins[op] = begin
        if self.locate and isinstance(op.location, UnknownLoc):
            file, line, column = self._location(begin)
            op.location = FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
        return op

    def place(self, op: Operation | None) -> str:
        """Where `op`, or the nearest op around it that was in the text, begins; the first line if there is none."""
        while op is not None and op not in self.begins:
            if known := place_of(op.location):
                return known
            op = op.parent_op()
        return self._place_at(0 if op is None else self.begins[op])

    def place_here(self) -> str:
        """Where the parser is now."""
        return self._place_at(self._current_token.span.start)

    def place_of_error(self, error: ParseError) -> str:
        """Where a parse error is: for values that are never defined, the op that uses the first one."""
        for values in self.forward_ssa_references.values():
            for value in values.values():
                if (use := next(iter(value.uses), None)) is not None and self._at_end():
                    return self.place(use.operation)
        return self._place_at(error.span.start)

    def _at_end(self) -> bool:
        return self._current_token.kind is MLIRTokenKind.EOF

    def _place_at(self, position: int) -> str:
        return str(self._location(position))

    def _location(self, position: int) -> Location:
        line = bisect_right(self.line_starts, position)
        column = position - self.line_starts[line - 1] + 1
        return Location(self.lexer.input.name, line + self.line_offset, column)


class FusirOptMain(xDSLOptMain):
    """The driver of `fusir-opt`. Raises `UserError` for every mistake of the user."""

    version_format: ClassVar[str] = "fusir-opt, on xDSL {xdsl_version}"

    def __init__(self, args: Sequence[str]):
        self.parser: _LocatingParser | None = None
        self.by_stages = any(each == "--pipeline" or each.startswith("--pipeline=") for each in args)
        """The default pipeline is verified at the end of each level, other lists of passes after each pass."""
        try:
            super().__init__("Run passes over a .mlir file, in the order of their flags.", expand_pass_flags(args))
        except ArgSpecParseError as error:
            raise UserError(
                "cannot read the options of a pass or target: write name{key=value key=value}", PROGRAM
            ) from error

    @override
    def register_all_dialects(self) -> None:
        for name, reference in DIALECTS.items():
            self.ctx.register_dialect(name, factory(reference))

    @override
    def register_all_frontends(self) -> None:
        for name, reference in FRONTENDS.items():
            self.available_frontends[name] = factory(reference)

    @override
    def register_all_passes(self) -> None:
        for name, entry in PASSES.items():
            self.register_pass(name, factory(entry.reference))

    @override
    def register_all_targets(self) -> None:
        for name, entry in TARGETS.items():
            self.available_targets[name] = factory(entry.reference)

    @override
    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.allow_abbrev = False
        arg_parser.error = _raise_argument_error
        arg_parser.add_argument("--remarks", action="store_true", help="print what was decided, and why, to stderr")
        flags = arg_parser.add_argument_group("passes", "run in the order given; options as --pass='name=value ...'")
        for name, entry in PASSES.items():
            flags.add_argument(f"--{name}", nargs="?", metavar="OPTIONS", help=entry.summary)
        flags.add_argument(
            f"--{PIPELINE_FLAG}",
            nargs="?",
            metavar="upto=STAGE",
            help=f"the default pipeline, down to a stage: {', '.join(STAGE_NAMES)}",
        )

    @override
    def setup_pipeline(self) -> None:
        passes: list[ModulePass] = []
        for spec in parse_pipeline(self.args.passes):
            if spec.name not in self.available_passes:
                raise UserError(f"unknown pass '{spec.name}' (choose from {', '.join(self.available_passes)})", PROGRAM)
            try:
                passes.append(self.available_passes[spec.name]().from_spec(spec))
            except ValueError as error:
                raise UserError(f"pass '{spec.name}': {error}", PROGRAM) from error
        self.pipeline = PassPipeline(tuple(passes))
        target = parse_spec(self.args.target)
        try:
            TARGETS[target.name].load().from_spec(target)
        except ValueError as error:
            raise UserError(f"target '{target.name}': {error}", PROGRAM) from error

    @override
    def run(self) -> None:
        """Parse, run the passes and write each chunk of the input.

        With `--verify-diagnostics` or `--parsing-diagnostics` an error is written in place of its chunk.
        """
        try:
            chunks, _ = self.prepare_input()
        except ValueError as error:
            raise UserError(f"{error} (give a .mlir file)", f"{self.get_input_name()}:1:1") from error
        outputs: list[str] = []
        for chunk, line_offset in chunks:
            try:
                outputs.append(self._process(chunk, line_offset))
            except UserError as error:
                if not (self.args.verify_diagnostics or self.args.parsing_diagnostics):
                    raise
                outputs.append(f"{error}\n")
        text = "// -----\n".join(outputs)
        if self.args.output_file is None:
            sys.stdout.write(text)
        else:
            Path(self.args.output_file).write_text(text)

    def _process(self, chunk: IO[bytes], line_offset: int) -> str:
        with chunk, paused_collector():
            module = self._parse(chunk.read(), line_offset)
        with remarks.collect() as decisions, paused_collector():
            try:
                self.apply_passes(module)
                return self.output_resulting_program(module)
            except DiagnosticException as error:
                raise self._located(error, module) from error
            finally:
                if self.args.remarks:
                    sys.stderr.writelines(f"{each}\n" for each in decisions)

    def _parse(self, text: bytes, line_offset: int) -> ModuleOp:
        name = self.get_input_name()
        try:
            parser = self.parser = _LocatingParser(self.ctx, text.decode(), name, line_offset, self.args.remarks)
        except UnicodeDecodeError as error:
            raise UserError("the file is not UTF-8 text", f"{name}:1:1") from error
        except ParseError as error:
            raise UserError(error.msg, str(error.span.get_location())) from error
        try:
            return parser.parse_module(not self.args.no_implicit_module)
        except ParseError as error:
            raise UserError(error.msg, parser.place_of_error(error)) from error
        except Exception as error:  # attribute and op constructors reject what they are given in many ways
            raise UserError(str(error) or type(error).__name__, parser.place_here()) from error

    @override
    def apply_passes(self, prog: ModuleOp) -> None:
        self._verify(prog, "")
        for each in self.pipeline.passes:
            start = time.perf_counter()
            each.apply(self.ctx, prog)
            if self.args.time_passes:
                print(f"{each.name}: {(time.perf_counter() - start) * 1e3:.1f} ms", file=sys.stderr)
            if not self.by_stages or each.name in STAGE_ENDS or each is self.pipeline.passes[-1]:
                self._verify(prog, f"after {each.name}: ")
            if self.args.print_between_passes:
                print(f"// after {each.name}\n{prog}", file=sys.stderr)

    def _verify(self, module: ModuleOp, when: str) -> None:
        if self.args.disable_verify:
            return
        try:
            module.verify()
            verify_dominance(module)
        except VerifyException as error:
            raise self._located(error, module, when) from error

    def _located(self, error: DiagnosticException, module: ModuleOp, when: str = "") -> UserError:
        assert self.parser is not None
        op = error.op if isinstance(error, CompileError) else _failing_op(module, error)
        return UserError(f"{when}{error}", self.parser.place(op))


def _failing_op(module: ModuleOp, error: DiagnosticException) -> Operation | None:
    """The op whose verifier raises the same error, if the error came from a verifier."""
    for op in module.walk(region_first=True):
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException as again:
            if str(again) == str(error):
                return op
    return None


def _raise_argument_error(message: str) -> NoReturn:
    raise UserError(message, PROGRAM)


def main() -> None:
    """The console script."""
    try:
        FusirOptMain(sys.argv[1:]).run()
    except UserError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{error.filename}:1:1: error: {error.strerror}")


if __name__ == "__main__":
    main()
