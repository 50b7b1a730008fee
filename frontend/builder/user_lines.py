"""Finds the user's line that called the builder, for locations and errors."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import NoReturn

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from tilewright.ir.calling_place import calling_frame, place_in, remember_file
from tilewright.ir.errors import Place, UserError

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
    return place_in(calling_frame(_is_ours))


def calling_location() -> FileLineColLoc:
    """The same place as an op's location."""
    place = calling_place()
    remember_file(place.file)
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
