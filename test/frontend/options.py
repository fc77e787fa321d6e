# RUN: %python %s
"""Modes, options and what users may get wrong: one-line errors, and falling back instead of failing."""

import subprocess
import sys
import warnings

import torch

import fusir
from fusir.options import Options, resolve_options


def error(kind, call):
    """The message of the error, which is one line."""
    try:
        call()
    except kind as caught:
        assert "\n" not in str(caught), str(caught)
        return str(caught)
    raise AssertionError(f"no {kind.__name__}")


def fn(x):
    return x.sin() + 1


x = torch.randn(4)

assert error(fusir.OptionError, lambda: fusir.compile(fn, mode="fastest")) == (
    "unknown mode 'fastest'; the known modes are default, reduce-overhead, max-autotune, max-autotune-no-cudagraphs"
)
text = error(fusir.OptionError, lambda: fusir.compile(fn, options={"fused": True}))
assert text.startswith("unknown option 'fused'; the known options are fuse, target, strict_rounding"), text
assert "True or False" in error(fusir.OptionError, lambda: fusir.compile(fn, options={"fuse": 1}))
assert "sm_90" in error(fusir.OptionError, lambda: fusir.compile(fn, options={"target": "h100"}))
assert "unknown option" in error(fusir.OptionError, lambda: fusir.explain(fn, x, options={"x": 1}))
error(TypeError, lambda: fusir.compile(3))
error(TypeError, lambda: fusir.trace("text"))
assert "cannot trace" in error(fusir.CaptureError, lambda: fusir.trace(lambda x: x if x.sum() > 0 else -x, x))
assert "cannot trace" in error(fusir.CaptureError, lambda: fusir.trace(fn, "text"))
assert "cannot be expressed" in error(fusir.CaptureError, lambda: fusir.trace(lambda x: x.nonzero(), x))

assert resolve_options("max-autotune") == Options(max_autotune=True, cuda_graphs=True)
assert resolve_options("reduce-overhead", {"cuda_graphs": False}) == Options()

# The three ways to the compiler.
assert "fusir" in torch._dynamo.list_backends()
for compiled in (
    fusir.compile(fn, options={"fuse": False, "strict_rounding": True, "target": "sm_80"}),
    fusir.compile(fn, mode="max-autotune-no-cudagraphs", dynamic=False, fullgraph=True),
    torch.compile(fn, backend="fusir"),
    torch.compile(fn, backend="fusir", options={"fuse": False}),
    torch.compile(fn, backend="fusir", mode="default"),
):
    torch._dynamo.reset()
    torch.testing.assert_close(compiled(x), fn(x))

# What cannot be compiled runs all the same, with a warning that names it.
import fusir.frontend.compiler as compiler  # noqa: E402


def refuse(*_):
    raise ValueError("no such\nluck")


torch._dynamo.reset()
original, compiler.build = compiler.build, refuse
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.testing.assert_close(fusir.compile(fn)(x), fn(x))
compiler.build = original
messages = [str(w.message) for w in caught if issubclass(w.category, fusir.FusirFallbackWarning)]
assert len(messages) == 1 and "options.py:" in messages[0] and messages[0].endswith("ValueError: no such luck"), (
    messages
)

# Inputs of unusual kinds.
for value in (3, 2.5, True, None, "text", (1, 2)):
    torch._dynamo.reset()
    assert torch.equal(fusir.compile(lambda x, value: x * 2)(x, value), x * 2)
sparse = torch.eye(3).to_sparse()
assert torch.equal(fusir.compile(lambda s: s.to_dense() * 2)(sparse), 2 * torch.eye(3))


class Unhashable:
    __hash__ = None

    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return x * self.scale


assert torch.equal(fusir.compile(Unhashable(3))(x), x * 3)

# `import fusir` is cheap.
code = "import sys, fusir; sys.exit('torch' in sys.modules or 'triton' in sys.modules or 'xdsl' in sys.modules)"
assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
