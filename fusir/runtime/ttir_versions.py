"""Text of TTIR between versions of Triton.

Our `tt` dialect is that of Triton 3.6. Later versions write the cache policy of loads and stores as an attribute:

    tt.load %p cacheModifier = cg evictionPolicy = evict_last : ...
    tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} : ...
"""

from __future__ import annotations

import functools
import re

_OPS = r"(?P<head>\btt\.(?:load|store) %[^:{\n]*?)"

_CLAUSES = re.compile(
    _OPS + r"(?: cacheModifier = (?P<cache>\w+))?(?: evictionPolicy = (?P<evict>\w+))?(?: \{(?P<rest>[^}\n]*)\})? : "
)
_ATTRIBUTE = re.compile(
    _OPS + r" \{(?P<before>[^}\n]*?)"
    r"cachePolicy = #tt\.cache_policy<cache_modifier = (?P<cache>\w+), eviction_policy = (?P<evict>\w+)>"
    r"(?:, )?(?P<after>[^}\n]*)\} : "
)


def to_attribute(text: str) -> str:
    """Clauses of loads and stores as the attribute of later versions."""

    def rewrite(match: re.Match[str]) -> str:
        if match["cache"] is None and match["evict"] is None:
            return match[0]
        policy = (
            f"cachePolicy = #tt.cache_policy<cache_modifier = {match['cache'] or 'none'}, "
            f"eviction_policy = {match['evict'] or 'evict_normal'}>"
        )
        attributes = ", ".join([policy, *([match["rest"]] if match["rest"] else [])])
        return f"{match['head']} {{{attributes}}} : "

    return _CLAUSES.sub(rewrite, text)


def to_clauses(text: str) -> str:
    """The attribute of later versions as the clauses of 3.6."""

    def rewrite(match: re.Match[str]) -> str:
        cache = f" cacheModifier = {match['cache']}" if match["cache"] != "none" else ""
        evict = f" evictionPolicy = {match['evict']}" if match["evict"] != "evict_normal" else ""
        rest = (match["before"] + match["after"]).removesuffix(", ")
        return f"{match['head']}{cache}{evict}{f' {{{rest}}}' if rest else ''} : "

    return _ATTRIBUTE.sub(rewrite, text)


@functools.cache
def _writes_attribute() -> bool:
    from triton._C.libtriton import ir

    return hasattr(ir.builder, "get_cache_policy")


_WHILE = re.compile(r"\bscf\.while : ")
"""A loop that carries nothing, as MLIR prints it; xDSL writes an empty list of what it carries."""


def for_installed(text: str) -> str:
    """TTIR of ours, as the installed Triton reads it."""
    return to_attribute(text) if _writes_attribute() else text


def from_installed(text: str) -> str:
    """TTIR that the installed Triton printed, as we read it."""
    text = _WHILE.sub("scf.while () : ", text)
    return to_clauses(text) if _writes_attribute() else text
