# RUN: %python %s
"""Imported prefixes against eager, with the graph interpreter."""

import torch
from frontend_checks import Checker, make
from torch.nn import functional as F

FLOATS = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
INTEGERS = (torch.int64, torch.int32, torch.uint8, torch.bool)

checker = Checker()
check = checker.check

PREFIXES = {
    "cumsum": lambda x: x.cumsum(1),
    "cumsum last": lambda x: x.cumsum(-1),
    "cumsum dtype": lambda x: x.cumsum(0, dtype=torch.float64),
    "cumsum to integer": lambda x: x.cumsum(0, dtype=torch.int32),
    "cumprod": lambda x: x.cumprod(2),
    "reverse": lambda x: x.flip(1).cumsum(1).flip(1),
    "exclusive": lambda x: F.pad(x, (1, 0)).cumsum(-1)[..., :-1],
    "masked": lambda x: (x * (x > 0)).cumsum(1),
    "scalar": lambda x: x[0, 0, 0].cumsum(0),
}
EXTREMA = {
    "cummax": lambda x: torch.cummax(x, 1),
    "cummin": lambda x: torch.cummin(x, -1),
    "values": lambda x: torch.cummax(x, 0).values,
    "positions": lambda x: torch.cummin(x, 0).indices,
    "from the end": lambda x: torch.cummax(x.flip(1), 1).values.flip(1),
    "positions from the end": lambda x: torch.cummax(x.flip(1), 1).indices.flip(1),
    "scalar": lambda x: torch.cummax(x[0, 0, 0], 0),
}
LOGARITHMS = {
    "logcumsumexp": lambda x: x.logcumsumexp(1),
    "logcumsumexp from the end": lambda x: x.flip(-1).logcumsumexp(-1).flip(-1),
    "logcumsumexp scalar": lambda x: x[0, 0, 0].logcumsumexp(0),
}
for dtype in (*FLOATS, *INTEGERS):
    for name, fn in EXTREMA.items():
        check(name, fn, make((2, 3, 4), dtype))
        # Equal elements: of these the last counts.
        check(f"{name} of equals", fn, make((2, 7, 4), torch.int64).clamp(-1, 1).to(dtype))
nan, inf = float("nan"), float("inf")
SPECIAL = torch.tensor(
    [[1, nan, 3, nan, inf], [-inf, -inf, 0, inf, inf], [inf, -inf, 1, 2, nan], [-inf, -inf, nan, 1, 1]]
)
for dtype in FLOATS:
    for name, fn in {**EXTREMA, **LOGARITHMS}.items():
        check(f"{name} of nan and inf", fn, SPECIAL.view(2, 2, 5).to(dtype))
    for name, fn in LOGARITHMS.items():
        check(name, fn, make((2, 3, 4), dtype) * 20)
for dtype in (*FLOATS, *INTEGERS):
    for name, fn in PREFIXES.items():
        check(name, fn, make((2, 3, 4), dtype))
check("cumsum of nothing", lambda x: x.cumsum(0), torch.zeros(0, 3))
check("cumsum of complex", lambda x: torch.complex(x, x).cumsum(0), make((3, 4), torch.float32), may_call=True)

# With every extent but 0 and 1 symbolic.
for name in ("cumsum", "cumsum last", "cumprod", "reverse"):
    check(f"dynamic {name}", PREFIXES[name], make((2, 3, 4), torch.float32), dynamic=True)
check("dynamic cummax", EXTREMA["cummax"], make((2, 3, 4), torch.float32), dynamic=True)
check("dynamic logcumsumexp", LOGARITHMS["logcumsumexp"], make((2, 3, 4), torch.float32), dynamic=True)

checker.finish()
