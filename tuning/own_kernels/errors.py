"""Errors about the arguments of the tuner's Python functions."""

from __future__ import annotations

from tilewright.ir.errors import UserError


class ArgumentError(UserError, ValueError):
    """A value that a function cannot take; also a `ValueError`, as in Python."""
