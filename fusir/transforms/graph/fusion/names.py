"""The names of values in remarks."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue


def names_of(block: Block) -> dict[SSAValue, str]:
    """The names of values as the printer writes them."""
    names: dict[SSAValue, str] = {}
    used: dict[str, int] = {}
    unnamed = 0
    for value in (*block.args, *(result for op in block.ops for result in op.results)):
        hint = value.name_hint
        if hint is None:
            names[value] = f"%{unnamed}"
            unnamed += 1
            continue
        count = used.get(hint, 0)
        used[hint] = count + 1
        names[value] = f"%{hint}_{count}" if count else f"%{hint}"
    return names
