# RUN: %python %s
"""Outputs that are inputs, views or duplicates, and programs that change their inputs, through `fusir.compile`."""

import torch
from frontend_checks import strict

import fusir

strict()
torch.manual_seed(0)
checks = 0


def check(fn, *args):
    """Results, inputs afterwards, and which tensors share storage are those of eager."""
    global checks
    checks += 1
    torch._dynamo.reset()
    compiled = fusir.compile(fn)
    for _ in range(2):
        mine = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]
        theirs = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]
        actual, expected = compiled(*mine), fn(*theirs)
        torch.testing.assert_close(actual, expected)
        torch.testing.assert_close(mine, theirs)
        assert sharing(mine, actual) == sharing(theirs, expected), (
            fn,
            sharing(mine, actual),
            sharing(theirs, expected),
        )


def sharing(inputs, outputs):
    """For each tensor the first one with the same storage."""
    tensors = [t for t in torch.utils._pytree.tree_leaves((inputs, outputs)) if isinstance(t, torch.Tensor)]
    storages = [t.untyped_storage().data_ptr() for t in tensors]
    return [storages.index(s) for s in storages]


x, y = torch.randn(3, 4), torch.randn(4)

check(lambda x: x, x)
check(lambda x: (x, x), x)
check(lambda x: x.clone(), x)
check(lambda x: (x.clone(), x.clone()), x)
check(lambda x: (x.t(), x[1:]), x)
check(lambda x: (x + 1, x), x)
check(lambda x: x + 0, x)
check(lambda x: (x * 1, x), x)
check(lambda x: x.to(torch.float32), x)


def intermediate_views(x):
    z = x.exp()
    return z, z.t(), z[0], z.clone()


check(intermediate_views, x)


def same_value_twice(x):
    return x.sin(), x.sin()


check(same_value_twice, x)


def in_place(x, y):
    x.add_(y)
    return x.sum()


check(in_place, x, y)


def in_place_returned(x, y):
    x.mul_(2)
    return x, y


check(in_place_returned, x, y)


def in_place_view(x):
    x[0].zero_()
    x.t()[1].fill_(3)
    return x + 1


check(in_place_view, x)


def swap(x, z):
    t = x.clone()
    x.copy_(z)
    z.copy_(t)


check(swap, x, torch.randn(3, 4))


def in_place_intermediate(x):
    z = x * 2
    z.add_(1)
    w = z.view(-1)
    w[0] = 5
    return z


check(in_place_intermediate, x)


def nested(d, n, *, flag=True):
    return {"sum": d["a"] + d["b"][0], "none": None, "list": [n, (d["a"] * n,)], "flag": flag}


for _ in range(2):
    actual = fusir.compile(nested)({"a": x, "b": (y,)}, 3, flag=False)
    expected = nested({"a": x, "b": (y,)}, 3, flag=False)
    torch.testing.assert_close(actual, expected)

print(checks, "programs")
