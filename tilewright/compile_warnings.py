"""Warnings of the Python interface: what is legal and probably not meant."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

from tilewright.ir.errors import CompileWarning, UserError


def warn_caller(found: Iterable[UserError]) -> None:
    """Issue Python warnings, at the line that called into this package."""
    level = 1
    frame = sys._getframe()
    while frame is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    for error in found:
        warnings.warn(error.message("warning"), CompileWarning, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "tilewright"
