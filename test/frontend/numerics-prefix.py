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
for dtype in (*FLOATS, *INTEGERS):
    for name, fn in PREFIXES.items():
        check(name, fn, make((2, 3, 4), dtype))
check("cumsum of nothing", lambda x: x.cumsum(0), torch.zeros(0, 3))
check("cumsum of complex", lambda x: torch.complex(x, x).cumsum(0), make((3, 4), torch.float32), may_call=True)

# With every extent but 0 and 1 symbolic.
for name in ("cumsum", "cumsum last", "cumprod", "reverse"):
    check(f"dynamic {name}", PREFIXES[name], make((2, 3, 4), torch.float32), dynamic=True)

checker.finish()
