"""The Python statement that calls the builder: its place, and the names it assigns."""

from __future__ import annotations

import dis
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType

from tilewright.ir.calling_place import calling_frame, place_in, remember_file
from tilewright.ir.errors import Place

# The package is reached through a link, so its files may have two paths.
_HERE = {str(Path(__file__).parent), str(Path(__file__).resolve().parent)}
_PACKAGE = Path(__file__).parents[2]
if _PACKAGE.name == "tilewright":
    _HERE.add(str(_PACKAGE))
_LIBRARY = ("contextlib.py",)
"""Files of Python itself that stand between the user's line and the builder."""


@dataclass(frozen=True)
class CallSite:
    """Where the user called the builder."""

    place: Place
    names: tuple[str | None, ...] | None = None
    """The variables that the result is assigned to, if that is what happens to it.

    A variable without a name of its own, such as `x[0]` or `x.y`, is None.
    """


def call_site() -> CallSite:
    """The user's call that led into the builder."""
    frame = calling_frame(_is_ours)
    place = place_in(frame)
    remember_file(place.file)
    return CallSite(place, _assigned(frame.f_code, frame.f_lasti))


def assigned_name() -> str | None:
    """The variable that the result of the user's call is assigned to."""
    names = call_site().names or ()
    return names[0] if len(names) == 1 else None


def variables() -> dict[str, object]:
    """The variables of the user's function that led into the builder."""
    return dict(calling_frame(_is_ours).f_locals)


@cache
def _is_ours(file: str) -> bool:
    path = Path(file)
    return str(path.parent) in _HERE or path.name in _LIBRARY


def _assigned(code: CodeType, offset: int) -> tuple[str | None, ...] | None:
    """The names that the result of the call at an offset is assigned to."""
    instructions = _instructions(code)
    later = iter(each for each in instructions if each.offset > offset)
    first = next(later, None)
    if first is not None and first.opname == "BEFORE_WITH":
        first = next(later, None)
    if first is None:
        return None
    if first.opname == "UNPACK_SEQUENCE":
        names = list(_stored(later, int(first.arg or 0)))
        return tuple(names) + (None,) * (int(first.arg or 0) - len(names))
    names = list(_stored(iter([first]), 1))
    return tuple(names) or None


def _stored(instructions: Iterator[dis.Instruction], count: int) -> Iterator[str]:
    """The names that the next instructions store to, up to `count`."""
    found = 0
    for each in instructions:
        if not each.opname.startswith("STORE_") or each.opname in _NO_NAME:
            return
        # From Python 3.13 on, one instruction may store to two names.
        pair = isinstance(each.argval, tuple)
        names: Sequence[str] = each.argval if pair else (each.argval,)
        if each.opname.endswith("LOAD_FAST"):
            names = names[:1]
        for name in names:
            if found < count:
                found += 1
                yield name


_NO_NAME = {"STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE"}


@lru_cache(maxsize=64)
def _instructions(code: CodeType) -> tuple[dis.Instruction, ...]:
    return tuple(dis.get_instructions(code))
