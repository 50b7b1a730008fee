"""Finds the user's line that called the builder, for locations and errors."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import NoReturn

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from tilewright.ir.errors import Place, UserError
from tilewright.ir.text import remember_source

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COUNTED = re.compile(r".*_[0-9]+")
# The package is reached through a link, so its files may have two paths.
_BUILDER = {Path(__file__).parent, Path(__file__).resolve().parent}
_HERE = {str(folder / part) for folder in _BUILDER for part in (".", "ops", "layers")}
# `tilewright.compile` reads a payload's module: its caller is the user's line.
_PACKAGE = Path(__file__).parents[2]
if _PACKAGE.name == "tilewright":
    _HERE.add(str(_PACKAGE))


_stated: ContextVar[Place | None] = ContextVar("stated", default=None)


@contextmanager
def located_at(place: Place | None) -> Generator[None]:
    """Ops made here come from this place, such as a line of an imported model."""
    token = _stated.set(place)
    try:
        yield
    finally:
        _stated.reset(token)


def calling_place() -> Place:
    """The user's call that led into this package, with its text for the caret."""
    if (stated := _stated.get()) is not None:
        return stated
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    file, line = frame.f_code.co_filename, frame.f_lineno
    positions = frame.f_code.co_positions()
    _, _, column, _ = next(islice(positions, frame.f_lasti // 2, None))
    text = linecache.getline(file, line).rstrip("\n")
    return Place(file, line, (column or 0) + 1, text or None)


def calling_location() -> FileLineColLoc:
    """The same place as an op's location."""
    place = calling_place()
    _remember(place.file)
    return FileLineColLoc(
        StringAttr(place.file), IntAttr(place.line), IntAttr(place.column)
    )


def fail(fact: str, remedy: str | None = None) -> NoReturn:
    """Raise a `UserError` at the user's line."""
    raise UserError(fact, calling_place(), remedy)


def check_name(what: str, name: str) -> None:
    """Refuse a name that MLIR's text cannot have, or that the printer would change."""
    if not _NAME.fullmatch(name):
        fail(
            f"'{name}' cannot be the name of {what}",
            "use letters, digits and underscores, a letter first",
        )
    if _COUNTED.fullmatch(name):
        fail(
            f"'{name}' cannot be the name of {what}: the printer adds endings such as "
            "_1 to keep names apart",
            f"write {name.replace('_', '')}",
        )


@cache
def _is_ours(file: str) -> bool:
    return str(Path(file).parent) in _HERE


@cache
def _remember(file: str) -> None:
    """Register a file, so that errors about an op show the line that made it."""
    remember_source(file, "".join(linecache.getlines(file)))
