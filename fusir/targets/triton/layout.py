"""Long statements over several lines, as a formatter would break them."""

from __future__ import annotations

MAX_LINE_LENGTH = 100
"""Columns of a source line, without its comment."""

INDENT = "    "

_OPEN, _CLOSE = "([", ")]"


def statement_lines(text: str, depth: int, comment: str = "") -> list[str]:
    """The lines of a statement at an indentation depth; the comment ends the last line.

    A statement that is too long and ends with a call has one argument of the call a line.
    """
    indent = INDENT * depth
    if len(indent) + len(text) > MAX_LINE_LENGTH and (parts := _split_call(text)) is not None:
        head, arguments, tail = parts
        inner = INDENT * (depth + 1)
        return [f"{indent}{head}", *(f"{inner}{each}," for each in arguments), f"{indent}{tail}{comment}"]
    return [f"{indent}{text}{comment}"]


def _split_call(text: str) -> tuple[str, list[str], str] | None:
    """`x = f(`, its arguments, and `)` of a statement that ends with a call (or `):` of a definition)."""
    tail = ")" + text[len(text.rstrip(":")) :]
    body = text[: len(text) - len(tail)]
    if body + tail != text:
        return None
    start = _matching_open(body)
    if start is None or not start or not (body[start - 1].isalnum() or body[start - 1] == "_"):
        return None
    arguments = _split_arguments(body[start + 1 :])
    return (body[: start + 1], arguments, tail) if len(arguments) > 1 else None


def _matching_open(body: str) -> int | None:
    """Where the bracket opens that would be closed right after `body`."""
    depth = 0
    for position in range(len(body) - 1, -1, -1):
        if body[position] in _CLOSE:
            depth += 1
        elif body[position] in _OPEN:
            if depth == 0:
                return position
            depth -= 1
    return None


def _split_arguments(text: str) -> list[str]:
    """The arguments of a call, split at the commas outside of brackets."""
    arguments: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
        elif character == "," and depth == 0:
            arguments.append(text[start:position].strip())
            start = position + 1
    return [*arguments, text[start:].strip()]
