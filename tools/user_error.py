"""Mistakes of the user, as the tools tell them: one line, exit code 1."""

from __future__ import annotations


class UserError(Exception):
    """`place: error: text` in one line. The place is `file:line:col`, or the name of the tool."""

    def __init__(self, text: str, place: str):
        super().__init__(f"{place}: error: {' '.join(text.split())}")
