# RUN: %python %s
"""Every kind of malformed input gives one line with a place, and no traceback.

Each case is a file and the command line it is given to; `place` and a part of the message are what the user must see.
"""

import subprocess
import sys
from dataclasses import dataclass

from opt_runner import run_opt


@dataclass(frozen=True)
class Case:
    name: str
    text: str | bytes
    place: str
    message: str
    args: tuple[str, ...] = ()


def body(*lines: str, result: str = "tensor<4xf32>", argument: str = "tensor<4xf32>") -> str:
    """A function whose lines begin in line 2, column 3; `%x` is its argument."""
    return "\n".join([f"func.func @main(%x: {argument}) -> {result} {{", *(f"  {line}" for line in lines), "}", ""])


def op(line: str, result: str = "tensor<4xf32>", argument: str = "tensor<4xf32>") -> str:
    return body(f"%y = {line}", f"func.return %y : {result}", result=result, argument=argument)


def opt(name: str, args: str, message: str) -> Case:
    return Case(name, body("func.return %x : tensor<4xf32>"), "fusir-opt", message, tuple(args.split()))


ROWS = "tensor<4x8xf32>"
CASES = [
    # The text itself.
    Case("empty file", "", "1:1", "Could not parse"),
    Case("not UTF-8", b"\xff\xfe\x00", "1:1", "not UTF-8"),
    Case("no MLIR", "hello world", "1:7", "hello"),
    Case("unterminated function", "func.func @main(%x: f32) {", "1:27", "block"),
    Case("unterminated string", 'func.func @main() attributes {a = "x', "1:35", ""),
    Case("unknown dialect", op("relu.relu %x : tensor<4xf32>"), "2:18", "relu.relu"),
    Case("unknown op", op("graph.exponential %x : tensor<4xf32>"), "2:26", "graph.exponential"),
    Case("unknown type", op("graph.exp %x : tensor<4xf33>"), "2:32", "type"),
    Case("undefined value", op("graph.exp %z : tensor<4xf32>"), "2:3", "%z"),
    Case("value defined twice", body("%x = graph.exp %x : tensor<4xf32>"), "2:3", "x"),
    Case(
        "use before definition",
        body(
            "%y = graph.exp %z : tensor<4xf32>", "%z = graph.exp %x : tensor<4xf32>", "func.return %y : tensor<4xf32>"
        ),
        "2:3",
        "%z",
    ),
    Case("missing operand", op("graph.add %x : tensor<4xf32>"), "2:21", "Expected ','"),
    Case("missing type", op("graph.exp %x"), "3:3", "Expected ':'"),
    Case("no terminator", body("%y = graph.exp %x : tensor<4xf32>"), "2:3", "terminat"),
    # Types.
    Case("operand of another type", op("graph.exp %x : tensor<5xf32>"), "2:", "tensor<5xf32>"),
    Case(
        "wrong return type",
        body("func.return %x : tensor<4xf32>", result="tensor<5xf32>"),
        "2:3",
        "function output types",
    ),
    Case("float op on integers", op("graph.exp %x : tensor<4xi32>", "tensor<4xi32>", "tensor<4xi32>"), "2:3", "i32"),
    Case(
        "op on a foreign type", op("graph.neg %x : tensor<4xui32>", "tensor<4xui32>", "tensor<4xui32>"), "2:3", "ui32"
    ),
    Case(
        "dynamic dim without symbol",
        op("graph.exp %x : tensor<?xf32>", "tensor<?xf32>", "tensor<?xf32>"),
        "2:3",
        "dims",
    ),
    Case("constant of another type", op("graph.full 1 : tensor<4xf32>"), "3:3", "with a point"),
    Case(
        "condition is no i1",
        op('"graph.select"(%x, %x, %x) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'),
        "2:3",
        "condition",
    ),
    # Attributes and shapes.
    Case("unknown predicate", op("graph.compare less %x, %x : tensor<4xf32>", "tensor<4xi1>"), "2:22", "`lt`"),
    Case(
        "unknown reduction",
        op(f"graph.reduce mean %x dims [1] : {ROWS} -> tensor<4xf32>", argument=ROWS),
        "2:21",
        "`sum`",
    ),
    Case(
        "reduced dim out of range",
        op(f"graph.reduce sum %x dims [2] : {ROWS} -> tensor<4xf32>", argument=ROWS),
        "2:3",
        "2",
    ),
    Case(
        "wrong reduced shape",
        op(f"graph.reduce sum %x dims [1] : {ROWS} -> tensor<8xf32>", "tensor<8xf32>", ROWS),
        "2:3",
        "4",
    ),
    Case(
        "maximum of nothing",
        op("graph.reduce max %x dims [0] : tensor<0xf32> -> tensor<f32>", "tensor<f32>", "tensor<0xf32>"),
        "2:3",
        "empty",
    ),
    Case(
        "reshape to another size", op("graph.reshape %x : tensor<4xf32> -> tensor<5xf32>", "tensor<5xf32>"), "2:3", "5"
    ),
    Case(
        "permutation repeats",
        op(f"graph.permute %x dims [0, 0] : {ROWS} -> tensor<4x4xf32>", "tensor<4x4xf32>", ROWS),
        "2:3",
        "",
    ),
    Case(
        "slice past the end",
        op("graph.slice %x starts [2] steps [1] : tensor<4xf32> -> tensor<3xf32>", "tensor<3xf32>"),
        "2:3",
        "",
    ),
    Case(
        "negative padding",
        op("graph.pad %x low [-1] high [0] value 0.0 : tensor<4xf32> -> tensor<3xf32>", "tensor<3xf32>"),
        "2:",
        "",
    ),
    Case(
        "concat of unlike shapes",
        body(
            "%y = graph.full 1.0 : tensor<3x8xf32>",
            "%z = graph.concat %x, %y dim 1 : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<4x16xf32>",
            "func.return %z : tensor<4x16xf32>",
            argument=ROWS,
            result="tensor<4x16xf32>",
        ),
        "3:3",
        "",
    ),
    Case(
        "contraction of unlike extents",
        body(
            "%y = graph.full 1.0 : tensor<7x5xf32>",
            "%z = graph.contract %x, %y batch [], [] contract [1], [0] : (tensor<4x8xf32>, tensor<7x5xf32>)"
            " -> tensor<4x5xf32>",
            "func.return %z : tensor<4x5xf32>",
            argument=ROWS,
            result="tensor<4x5xf32>",
        ),
        "3:",
        "",
    ),
    Case(
        "malformed ATen target",
        op('graph.call_aten "relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>'),
        "2:3",
        "namespace.op.overload",
    ),
    Case(
        "ATen operand reference",
        op('graph.call_aten "aten.relu.default"(%x) {args = [#graph.operand<3>]} : (tensor<4xf32>) -> tensor<4xf32>'),
        "2:3",
        "operand",
    ),
    Case(
        "fusion uses a value from outside",
        op("graph.fusion () -> tensor<4xf32> { graph.yield %x : tensor<4xf32> }"),
        "2:",
        "",
    ),
    Case(
        "symbol range",
        "func.func @main(%s: index {graph.symbol = #graph.symbol<0, min = 9, max = 2>}) { func.return }",
        "1:",
        "max",
    ),
    # The command line.
    opt("unknown flag", "--frobnicate", "--frobnicate"),
    opt("unknown pass", "-p frobnicate", "unknown pass 'frobnicate'"),
    opt("unknown option of a pass", "--cse=colour=red", "cse"),
    opt("malformed option", "-p cse{", "key=value"),
    opt("unknown stage", "--pipeline=upto=moon", "graph|fused|loop"),
    opt("malformed stage", "--pipeline=moon", "graph|fused|loop"),
    opt("unknown target", "-t cobol", "cobol"),
    opt("unknown option of a target", "-t mlir{colour=red}", "mlir"),
]


def check(case: Case) -> str:
    """What is wrong with the error of a case, or nothing."""
    error = run_opt(case.text, *case.args).error
    place = case.place if case.place == "fusir-opt" else f"input.mlir:{case.place}"
    if not error:
        return "no error"
    if "\n" in error:
        return f"more than one line: {error!r}"
    if not error.startswith(place) or ": error: " not in error or error.endswith("error: "):
        return f"expected {place}: error: ..., got {error!r}"
    return "" if case.message in error else f"expected '{case.message}' in {error!r}"


failures = {case.name: problem for case in CASES if (problem := check(case))}
assert not failures, "\n".join(f"{name}: {problem}" for name, problem in failures.items())
assert len(CASES) >= 30 and len({case.name for case in CASES}) == len(CASES)


def tool(*args: str) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-m", *args], input="func.func", capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


for command, expected in {
    ("fusir.tools.opt",): "stdin:1:10: error: ",
    ("fusir.tools.opt", "missing.mlir"): "missing.mlir:1:1: error: No such file",
    ("fusir.tools.opt", __file__): f"{__file__}:1:1: error: ",
    ("fusir.tools.translate", "--import", "missing.py:f"): "missing.py:1:1: error: ",
    ("fusir.tools.translate", "--import", "missing"): "fusir-translate: error: --import takes FILE:NAME",
    ("fusir.tools.translate",): "fusir-translate: error: ",
}.items():
    code, output, error = tool(*command)
    assert code == 1 and output == "", (command, code, output)
    assert error.startswith(expected) and error.count("\n") == 1, (command, error)
