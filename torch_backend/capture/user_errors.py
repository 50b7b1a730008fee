"""Errors of the user's own code, told at its line and without a traceback."""

from __future__ import annotations

import linecache
import logging
import os
import re
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch

from tilewright.ir.errors import Place, UserError

_OTHERS = (
    str(Path(torch.__file__).parent),
    str(Path(__file__).parents[2]),
    str(Path(os.__file__).parent),
    "<frozen",
)
"""Where code lies that is not the user's."""
_LOGS = ("torch._subclasses.fake_tensor", "torch.export")
_ADVICE = re.compile(r"\n\n|\n *Hint: ")
"""What follows is about torch itself."""
_LONGEST = 300
"""Characters of torch's message that are repeated."""


@contextmanager
def user_errors(fact: str, remedy: str) -> Generator[None]:
    """Errors become a `UserError` at the innermost line outside of torch."""
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        told = " ".join(_ADVICE.split(str(error))[0].split())
        told = told[:_LONGEST].rstrip(".")
        told = f"{fact}: {type(error).__name__}: {told}"
        raise UserError(told, _place(error), remedy) from error


@contextmanager
def without_logs() -> Generator[None]:
    """Keep torch from logging the tracebacks of errors that it raises too."""
    logs = [logging.getLogger(name) for name in _LOGS]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


def _place(error: Exception) -> Place | None:
    """The innermost line of the user's, which Dynamo keeps apart."""
    frames: Sequence[traceback.FrameSummary] = getattr(
        error, "real_stack", None
    ) or traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_OTHERS)]
    if not own:
        return None
    last, line = own[-1], own[-1].lineno or 1
    text = linecache.getline(last.filename, line).rstrip("\n")
    return Place(last.filename, line, (last.colno or 0) + 1, text or None)
