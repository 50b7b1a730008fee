"""The line of a user's Python program that called into this package."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from functools import cache
from itertools import islice
from types import FrameType

from tilewright.ir.errors import Place
from tilewright.ir.parsing.sources import remember_source


def calling_frame(is_ours: Callable[[str], bool]) -> FrameType:
    """The innermost frame whose file is not one of ours."""
    frame: FrameType = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def place_in(frame: FrameType) -> Place:
    """The call that a frame is executing, with its text for the caret."""
    file, line = frame.f_code.co_filename, frame.f_lineno
    positions = frame.f_code.co_positions()
    first, _, column, _ = next(islice(positions, frame.f_lasti // 2, None))
    line = first or line
    text = linecache.getline(file, line).rstrip("\n")
    return Place(file, line, (column or 0) + 1, text or None)


@cache
def remember_file(file: str) -> None:
    """Register a Python file, so that errors about an op show the line that made it."""
    remember_source(file, "".join(linecache.getlines(file)))
