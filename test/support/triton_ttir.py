"""Triton's own IR of a `@triton.jit` function, read by the tt dialect: kernels that our lowering did not make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend
from xdsl.parser import Parser

from fusir.dialects import tt
from fusir.tools.registry import make_context

_LOCATION = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def ttir_of(kernel: Any, signature: Mapping[str, str], constexprs: Mapping[str, int]) -> str:
    """The TTIR text of a jitted function, without locations. `signature` gives Triton's names of the argument types."""
    types = {name: "constexpr" if name in constexprs else signature[name] for name in kernel.arg_names}
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(kernel, signature=types, constexprs=dict(constexprs))
    functions = backend.get_codegen_implementation(options)
    module = source.make_ir(target, options, functions, backend.get_module_map(), context)
    module = backend.make_ttir(module, {}, options, 90)
    text = _LOCATION.sub("", str(module))
    lines = [line for line in text.splitlines() if not line.startswith("#loc")]
    return re.sub(r"^module", "builtin.module", "\n".join(lines), flags=re.MULTILINE)


def function_of(kernel: Any, signature: Mapping[str, str], constexprs: Mapping[str, int]) -> tt.FuncOp:
    """The `tt.func` of a jitted function."""
    return parse_function(ttir_of(kernel, signature, constexprs))


def parse_function(text: str) -> tt.FuncOp:
    """The `tt.func` in a text."""
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return next(op for op in module.body.block.ops if isinstance(op, tt.FuncOp))
