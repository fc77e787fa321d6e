"""Remarks: what the compiler decided, and why, for the user to read.

A pass calls `remark` for each decision; nobody pays for it unless a collector is open:

    with collect() as remarks:
        run_pipeline(...)
    print(*remarks, sep="\\n")      # model.py:12: remark: [fuse] not fused: %7 reduces over dims [0], %9 over dims [1]

Collectors belong to the current thread or task, so concurrent compilations do not see each other's remarks.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute

Kind: TypeAlias = Literal["fused", "not-fused", "fallback", "schedule", "buffer"]
"""What a remark is about: ops that share a kernel or do not, an operator that runs through ATen, the choice of a
schedule, the reuse of a buffer."""

_PREFIX: dict[Kind, str] = {"fused": "fused: ", "not-fused": "not fused: ", "fallback": "fallback: "}


@dataclass(frozen=True)
class Remark:
    """One decision of the compiler."""

    kind: Kind
    pass_name: str
    message: str
    """One line."""
    file: str
    """The source file of the op that it is about, empty where that is not known."""
    line: int
    """The line in the file, 0 where that is not known."""

    @property
    def place(self) -> str:
        """`file:line`, or empty."""
        return f"{self.file}:{self.line}" if self.file else ""

    def __str__(self) -> str:
        place = f"{self.place}: " if self.file else ""
        return f"{place}remark: [{self.pass_name}] {_PREFIX.get(self.kind, '')}{self.message}"


_collector: ContextVar[list[Remark] | None] = ContextVar("fusir_remarks", default=None)


@contextmanager
def collect() -> Generator[list[Remark]]:
    """Collect the remarks made in the body, in the order in which they are made."""
    remarks: list[Remark] = []
    token = _collector.set(remarks)
    try:
        yield remarks
    finally:
        _collector.reset(token)


def wanted() -> bool:
    """Whether a collector is open; guards remarks whose text is costly to make."""
    return _collector.get() is not None


def remark(kind: Kind, pass_name: str, message: str, location: Attribute) -> None:
    """Tell the user of a decision. `location` is that of the op which it is about."""
    remarks = _collector.get()
    if remarks is not None:
        file, line = source_line(location)
        remarks.append(Remark(kind, pass_name, message, file, line))


def source_line(location: Attribute) -> tuple[str, int]:
    """The first file and line in a location, `("", 0)` if it names none."""
    match location:
        case FileLineColLoc():
            return location.filename.data, location.line.data
        case NameLoc():
            return source_line(location.location)
        case CallSiteLoc():
            return source_line(location.callee)
        case FusedLoc(locations=ArrayAttr(data=parts)):
            return next((found for each in parts if (found := source_line(each))[0]), ("", 0))
        case _:
            return "", 0
