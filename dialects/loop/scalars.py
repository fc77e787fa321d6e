"""Scalars of the `loop` dialect that `arith` and `math` have no op for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    LocationAttr,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from fusir.dialects.loop.ops import LocatedOp


@irdl_op_definition
class RandomOp(LocatedOp):
    """A uniform number in [0, 1): Philox-4x32-10 with key `seed` and counter (`index`, `offset`).

    The first output word `w` gives `(w >> 8) * 2^-24`.
    """

    name = "loop.random"

    seed = operand_def(i64)
    offset = operand_def(i64)
    index = operand_def(i64)
    result = result_def(f32)

    traits = traits_def(Pure())

    assembly_format = "$seed `,` $offset `,` $index attr-dict"

    def __init__(self, seed: SSAValue, offset: SSAValue, index: SSAValue, location: LocationAttr | None = None):
        super().__init__(operands=[seed, offset, index], result_types=[f32], location=location)


LIBM_ARITY = {"erfc": 1, "nextafter": 2, "fmod": 2, "lgamma": 1}
"""C math functions that `math` and `arith` have no op for, with their number of arguments."""


@irdl_op_definition
class LibmOp(LocatedOp):
    """A C math function by its name without suffix: `loop.libm "erfc"(%a) : (f32) -> f32`."""

    name = "loop.libm"

    function = prop_def(StringAttr)
    arguments = var_operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)"

    def __init__(self, function: str, arguments: Sequence[SSAValue], location: LocationAttr | None = None):
        super().__init__(
            operands=[arguments],
            properties={"function": StringAttr(function)},
            result_types=[arguments[0].type],
            location=location,
        )

    def verify_(self) -> None:
        arity = LIBM_ARITY.get(self.function.data)
        if arity is None:
            known = ", ".join(LIBM_ARITY)
            raise VerifyException(f"unknown math function '{self.function.data}', known are {known}")
        if len(self.arguments) != arity:
            raise VerifyException(f"'{self.function.data}' takes {arity} arguments, got {len(self.arguments)}")
        if not isinstance(self.result.type, AnyFloat):
            raise VerifyException(f"'{self.function.data}' computes floats, got {self.result.type}")
