"""Errors that name the op they are about.

`fail(op, message)` is how a pass or target refuses an input of the user; the tools print it as one line with the place
of the op. What the compiler merely decides is told by `fusir.remarks`.
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException


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
