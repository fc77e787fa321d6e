"""What the compiler tells its user: remarks about decisions, and errors that name the op they are about.

A pass calls `remark(op, text)` for each decision that a user may want to know ("not fused: %7 reduces over dim 0,
%9 over dim 1"). Nobody pays for it unless a collector is open:

    with collect_remarks() as remarks:
        run_pipeline(...)
    for each in remarks: print(each)

Collectors belong to the current thread or task, so concurrent compilations do not see each other's remarks.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException


@dataclass(frozen=True)
class Remark:
    """One decision of the compiler, told to the user."""

    text: str
    op_name: str
    """The name of the op that it is about, as `graph.reduce`."""
    place: str
    """The source place of the op as `file:line:col`, or empty where the op has no known location."""

    def __str__(self) -> str:
        return f"{self.place}: remark: {self.text}" if self.place else f"remark: {self.text}"


_collector: ContextVar[list[Remark] | None] = ContextVar("fusir_remarks", default=None)


@contextmanager
def collect_remarks() -> Generator[list[Remark]]:
    """Collect the remarks made in the body, in the order in which they are made."""
    remarks: list[Remark] = []
    token = _collector.set(remarks)
    try:
        yield remarks
    finally:
        _collector.reset(token)


def remarks_wanted() -> bool:
    """Whether a collector is open; guards remarks whose text is costly to make."""
    return _collector.get() is not None


def remark(op: Operation, text: str) -> None:
    """Tell the user of a decision about `op`. The text is one line and names the reason."""
    remarks = _collector.get()
    if remarks is not None:
        remarks.append(Remark(text, op.name, place_of(op.location)))


def place_of(location: Attribute) -> str:
    """The first `file:line:col` in a location, or an empty string if it names none."""
    match location:
        case FileLineColLoc():
            return f"{location.filename.data}:{location.line.data}:{location.column.data}"
        case NameLoc():
            return place_of(location.location)
        case CallSiteLoc():
            return place_of(location.callee)
        case FusedLoc(locations=ArrayAttr(data=parts)):
            return next((place for each in parts if (place := place_of(each))), "")
        case _:
            return ""


class CompileError(DiagnosticException):
    """An input that a pass or target cannot take. `op` is the op that it is about."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op: Operation = op


def fail(op: Operation, message: str) -> NoReturn:
    """Stop the compilation because of `op`. The message is one line that says what is wrong with it."""
    raise CompileError(op, message)
