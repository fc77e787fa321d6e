# RUN: rm -rf %t && env FUSIR_CACHE_DIR=%t %python %s
# REQUIRES: cuda
"""Launches on a GPU: dtypes, layouts, alignment, streams, devices, threads, large tensors, and what a launch costs."""

import threading
import time
import traceback
import warnings
from typing import Any

import torch
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter

from fusir.dialects import host
from fusir.dialects.loop import KernelOp
from fusir.dialects.tt import FuncOp
from fusir.errors import FusirError, FusirFallbackWarning
from fusir.interpreters.graph import interpret
from fusir.options import Options
from fusir.pipeline import run_pipeline
from fusir.runtime.executable import Executable, build
from fusir.tools.registry import make_context

CONTEXT = make_context()
DEVICE = torch.device("cuda:0")


def lower(text: str, *, fuse: bool = True) -> tuple[ModuleOp, ModuleOp]:
    """The graph-level module before the conversion, and the lowered one."""
    module = Parser(CONTEXT, text).parse_module()
    fused: list[ModuleOp] = []

    def keep(stage: str, state: ModuleOp) -> None:
        if stage == "fused":
            fused.append(state.clone())

    run_pipeline(CONTEXT, module, options={"fuse": {"enabled": (fuse,)}}, on_stage=keep)
    return fused[0], module


def compiled(text: str, *, fuse: bool = True, options: Options | None = None) -> Executable:
    fused, module = lower(text, fuse=fuse)
    return build(module, options, fused=fused)


def expected(text: str, inputs: list[Any]) -> list[Any]:
    cpu = [x.cpu() if isinstance(x, torch.Tensor) else x for x in inputs]
    return interpret(Parser(CONTEXT, text).parse_module(), cpu)


def check(text: str, inputs: list[Any], function: Executable | None = None) -> None:
    results = (function or compiled(text))(list(inputs))
    for got, want in zip(results, expected(text, inputs), strict=True):
        assert got.device == DEVICE
        tolerance = {torch.float16: 4e-3, torch.bfloat16: 4e-2}.get(got.dtype)
        torch.testing.assert_close(got.cpu(), want, rtol=tolerance, atol=tolerance)


def pointwise(dims: str, element: str = "f32", attributes: str = "") -> str:
    tensor = f"tensor<{dims}x{element}>" if dims else f"tensor<{element}>"
    return f"""
func.func @main(%x: {tensor}{attributes}, %y: {tensor}) -> ({tensor}, {tensor})
    attributes {{graph.device = "cuda:0"}} {{
  %a = graph.mul %x, %y : {tensor}
  %b = graph.add %a, %y : {tensor}
  %c = graph.maximum %b, %x : {tensor}
  return %b, %c : {tensor}, {tensor}
}}"""


SOFTMAX = """
func.func @main(%x: tensor<37x129xf32>) -> tensor<37x129xf32> {
  %m = graph.reduce max %x dims [1] : tensor<37x129xf32> -> tensor<37xf32>
  %mb = graph.broadcast %m dims [0] : tensor<37xf32> -> tensor<37x129xf32>
  %d = graph.sub %x, %mb : tensor<37x129xf32>
  %e = graph.exp %d : tensor<37x129xf32>
  %s = graph.reduce sum %e dims [1] : tensor<37x129xf32> -> tensor<37xf32>
  %sb = graph.broadcast %s dims [0] : tensor<37xf32> -> tensor<37x129xf32>
  %y = graph.div %e, %sb : tensor<37x129xf32>
  return %y : tensor<37x129xf32>
}"""


def dtypes() -> None:
    names = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
    for element, name in names.items():
        dtype = getattr(torch, name)
        check(pointwise("33x65", element), [torch.randn(33, 65, device=DEVICE).to(dtype) for _ in range(2)])
    for element, name in {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "ui8": "uint8"}.items():
        dtype = getattr(torch, name)
        check(pointwise("33x65", element), [torch.randint(0, 9, (33, 65), device=DEVICE).to(dtype) for _ in range(2)])
    flags = """
func.func @main(%x: tensor<300xi1>, %y: tensor<300xf32>) -> (tensor<300xi1>, tensor<300xf32>, tensor<i1>) {
  %n = graph.not %x : tensor<300xi1>
  %z = graph.full 0.0 : tensor<300xf32>
  %s = graph.select %n, %y, %z : tensor<300xf32>
  %a = graph.reduce any %n dims [0] : tensor<300xi1> -> tensor<i1>
  return %n, %s, %a : tensor<300xi1>, tensor<300xf32>, tensor<i1>
}"""
    check(flags, [torch.rand(300, device=DEVICE) > 0.5, torch.randn(300, device=DEVICE)])


def layouts() -> None:
    check(pointwise(""), [torch.randn((), device=DEVICE) for _ in range(2)])
    check(pointwise("0x4"), [torch.randn(0, 4, device=DEVICE) for _ in range(2)])
    transposed = pointwise("64x96", attributes=" {graph.strides = #graph.dims<[1, 64]>}")
    check(transposed, [torch.randn(96, 64, device=DEVICE).t(), torch.randn(64, 96, device=DEVICE)])
    with_gaps = pointwise("64x96", attributes=" {graph.strides = #graph.dims<[200, 2]>}")
    check(with_gaps, [torch.randn(64, 200, device=DEVICE)[:, :192:2], torch.randn(64, 96, device=DEVICE)])
    check(SOFTMAX, [torch.randn(37, 129, device=DEVICE)])


def alignment() -> None:
    text = pointwise("64x64")
    function = compiled(text)
    storage = torch.randn(2 * 4096 + 16, device=DEVICE)
    for first, second in ((0, 4096), (1, 4096), (4, 4101), (3, 4103)):
        x, y = (storage[start : start + 4096].view(64, 64) for start in (first, second))
        check(text, [x, y], function)
    source = function.sources[0]
    assert "& 15:" in source and "unaligned" in source, source
    sliced = """
func.func @main(%x: tensor<4099xf32>) -> tensor<4096xf32> {
  %s = graph.slice %x starts [3] steps [1] : tensor<4099xf32> -> tensor<4096xf32>
  %e = graph.exp %s : tensor<4096xf32>
  return %e : tensor<4096xf32>
}"""
    check(sliced, [torch.randn(4099, device=DEVICE)])


def streams() -> None:
    text = pointwise("512x512")
    function = compiled(text)
    x, y = torch.zeros(512, 512, device=DEVICE), torch.ones(512, 512, device=DEVICE)
    function([x, y])
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        x.fill_(2.0)
        first, second = function([x, y])
    stream.synchronize()
    assert (first == 3.0).all() and (second == 3.0).all(), "the launch was not ordered after the work before it"


def devices() -> None:
    if torch.cuda.device_count() < 2:
        return
    function = compiled(pointwise("64x64"))
    for index in (1, 0, 1):
        x, y = (torch.randn(64, 64, device=f"cuda:{index}") for _ in range(2))
        first, _ = function([x, y])
        assert first.device.index == index and torch.cuda.current_device() == 0
        torch.testing.assert_close(first, x * y + y)


def threads() -> None:
    function = compiled(SOFTMAX, fuse=False)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                generator = torch.Generator(device=DEVICE).manual_seed(seed)
                for _ in range(20):
                    x = torch.randn(37, 129, device=DEVICE, generator=generator)
                    (y,) = function([x])
                    torch.testing.assert_close(y, torch.softmax(x, 1))
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]


def large() -> None:
    count = 2**31 + 129
    text = f"""
func.func @main(%x: tensor<{count}xi8>) -> tensor<{count}xi8> {{
  %n = graph.neg %x : tensor<{count}xi8>
  return %n : tensor<{count}xi8>
}}"""
    x = torch.ones(count, dtype=torch.int8, device=DEVICE)
    x[-1] = 5
    x[2**31] = 7
    (y,) = compiled(text)([x])
    assert y[-1].item() == -5 and y[2**31].item() == -7 and y[2**31 - 1].item() == -1 and y[0].item() == -1
    assert (y == -x).all()


def dynamic() -> None:
    text = """
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<?x48xf32, #graph.dims<[s0, 48]>>)
    -> (tensor<?x48xf32, #graph.dims<[s0, 48]>>, tensor<?xf32, #graph.dims<[s0]>>) {
  %e = graph.exp %x : tensor<?x48xf32, #graph.dims<[s0, 48]>>
  %r = graph.reduce sum %e dims [1] : tensor<?x48xf32, #graph.dims<[s0, 48]>> -> tensor<?xf32, #graph.dims<[s0]>>
  return %e, %r : tensor<?x48xf32, #graph.dims<[s0, 48]>>, tensor<?xf32, #graph.dims<[s0]>>
}"""
    function = compiled(text)
    for rows in (2, 7, 1000, 3):
        check(text, [rows, torch.randn(rows, 48, device=DEVICE)], function)


def mistakes() -> None:
    function = compiled(pointwise("64x64"))
    x = torch.randn(64, 64, device=DEVICE)
    for inputs, message in (
        ([x, x[:3]], "shape (64, 64)"),
        ([x, x.double()], "torch.float32"),
        ([x, x.cpu()], "cuda:0"),
    ):
        try:
            function(list(inputs))
        except FusirError as error:
            assert message in str(error), error
        else:
            raise AssertionError(message)


def kernel_that_cannot_be_compiled() -> None:
    fused, module = lower(SOFTMAX, fuse=False)
    symbols = host.symbols_of_module(module)
    launch = next(op for op in symbols["main"].walk() if isinstance(op, host.LaunchOp))
    name = launch.kernel.root_reference.data
    assert isinstance(symbols[name], FuncOp)
    Rewriter.replace_op(symbols[name], KernelOp(name, Region(Block(arg_types=[a.type for a in launch.arguments]))), [])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function = build(module, fused=fused)
        check(SOFTMAX, [torch.randn(37, 129, device=DEVICE)], function)
    assert function.fallbacks == [name]
    assert any(each.category is FusirFallbackWarning and name in str(each.message) for each in caught)


def cuda_graphs() -> None:
    text = pointwise("64x64")
    function = compiled(text, fuse=False, options=Options(cuda_graphs=True))
    y = torch.randn(64, 64, device=DEVICE)
    held: list[tuple[torch.Tensor, torch.Tensor]] = []
    for step in range(12):
        x = torch.randn(64, 64, device=DEVICE)
        first, second = function([x, y])
        torch.testing.assert_close(first, x * y + y)
        torch.testing.assert_close(second, torch.maximum(x * y + y, x))
        if step % 3 == 0:
            held.append((x, first))
    for x, first in held:
        torch.testing.assert_close(first, x * y + y, msg="a result was overwritten by a later replay")
    replay = function._programs[0]
    assert replay.given_up is None and replay._recordings, replay.given_up  # pyright: ignore
    impure = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = graph.call_aten "aten.rand_like.default"(%x) {args = [#graph.operand<0>], pure = false}
    : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}"""
    function = compiled(impure, options=Options(cuda_graphs=True))
    results = [function([torch.zeros(8, device=DEVICE)])[0] for _ in range(5)]
    assert len({tuple(result.tolist()) for result in results}) == 5


def cost_of_a_launch() -> None:
    body = "\n".join(f"  %{i + 1} = graph.sin %{i} : tensor<64xf32>" for i in range(50))
    text = f"func.func @main(%0: tensor<64xf32>) -> tensor<64xf32> {{\n{body}\n  return %50 : tensor<64xf32>\n}}"
    fused, module = lower(text, fuse=False)
    function = build(module, fused=fused, check_inputs=False)
    x = torch.randn(64, device=DEVICE)
    for _ in range(20):
        function([x])
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(200):
        function([x])
    spent = (time.perf_counter() - start) / 200
    torch.cuda.synchronize()
    print(f"{spent * 1e6 / 50:.2f} us a launch")
    assert spent / 50 < 10e-6, f"{spent * 1e6 / 50:.2f} us a launch"


if __name__ == "__main__":
    cases = (
        dtypes, layouts, alignment, streams, devices, threads, large, dynamic, mistakes,
        kernel_that_cannot_be_compiled, cuda_graphs, cost_of_a_launch,
    )  # fmt: skip
    failed: list[str] = []
    for case in cases:
        began = time.perf_counter()
        try:
            case()
        except Exception as error:
            failed.append(case.__name__)
            traceback.print_exc()
            print(f"{case.__name__}: {type(error).__name__}: {str(error)[:300]}")
        else:
            print(f"{case.__name__}: ok, {time.perf_counter() - began:.1f} s")
    assert not failed, failed
