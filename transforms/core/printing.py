"""Where ops that print write to: standard error, unless their caller asks otherwise."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

_STREAM: ContextVar[TextIO | None] = ContextVar("tilewright_printed", default=None)
"""Of one thread alone: other threads of a server still write to standard error."""


def write_printed(text: str) -> None:
    """Write what an op prints."""
    (_STREAM.get() or sys.stderr).write(text)


@contextmanager
def printing_to(stream: TextIO) -> Generator[None]:
    """Collect what ops print in this thread."""
    token = _STREAM.set(stream)
    try:
        yield
    finally:
        _STREAM.reset(token)
