"""Errors and warnings that users see. Every message is one line."""

from __future__ import annotations


class FusirError(Exception):
    """Base of the errors caused by what the user passed in."""


class OptionError(FusirError, ValueError):
    """An unknown option or mode, or an option value of the wrong kind."""


class CaptureError(FusirError):
    """A function or module cannot be traced into one graph."""


class FusirFallbackWarning(UserWarning):
    """Something runs through PyTorch because fusir could not compile it; the message names it and says why."""
