"""The table of native imports: ATen operator overloads to functions that emit graph ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fusir.frontend.internals import OpOverloadPacket

Lowering = Callable[..., Any]
"""`f(emitter, *args, **kwargs)`: tensor arguments are SSA values, sizes are dims, everything else is as in FX. Returns
an SSA value, or a sequence of them for a node with several results. Raises NotNative to hand the node to ATen."""

LOWERINGS: dict[Any, Lowering] = {}

F = TypeVar("F", bound=Lowering)


def lowering(*overloads: Any) -> Callable[[F], F]:
    """Register a function for operator overloads (or for all overloads of an overload packet)."""

    def register(function: F) -> F:
        for target in overloads:
            targets = [target]
            if isinstance(target, OpOverloadPacket):
                targets = [getattr(target, name) for name in target.overloads()]
            for overload in targets:
                assert overload not in LOWERINGS, f"two imports of {overload}"
                LOWERINGS[overload] = function
        return function

    return register
