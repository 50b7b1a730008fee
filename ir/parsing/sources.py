"""Reading files, and the places in the texts that were read in this process."""

from __future__ import annotations

import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.lexer import Span

from tilewright.ir.errors import Place, UserError

STDIN = Path("-")
"""The path that stands for standard input."""

_sources: dict[str, list[str]] = {}
"""Lines of every text parsed in this process, by name, for the carets of errors."""

_BYTECODE = b"ML\xefR"
"""How a file of MLIR bytecode begins."""


def remember_source(name: str, text: str) -> None:
    """Keep the lines of a text, so that errors can show them."""
    _sources[name] = text.split("\n")


def known_source(name: str) -> str | None:
    """A text that was parsed in this process under a name."""
    lines = _sources.get(name)
    return None if lines is None else "\n".join(lines)


def place_at(name: str, line: int, column: int) -> Place:
    """A place in a text that was parsed in this process, with its line."""
    lines = _sources.get(name, [])
    text = lines[line - 1].rstrip("\r") if 0 < line <= len(lines) else None
    return Place(name, line, column, text)


def place_of(op: Operation) -> Place | None:
    """Where `op` was written, if it came from a text."""
    location = file_location(op.location)
    if location is None:
        return None
    file, line, column = location.filename, location.line, location.column
    place = place_at(file.data, line.data, column.data)
    part = _part_of(op)
    return place if part is None else replace(place, part=part)


def _part_of(op: Operation | None) -> str | None:
    """The name that the location of an op, or of one around it, has."""
    while op is not None:
        if isinstance(op.location, NameLoc):
            return op.location.desc.data
        op = op.parent_op()
    return None


def place_of_span(span: Span[str] | Span[bytes]) -> Place:
    """The place where a span begins; in trailing space, the end of the last word."""
    content = str(span.input.content)
    position = min(span.start, len(content))
    if not content[position:].strip():
        position = len(content.rstrip())
    line = content.count("\n", 0, position) + 1
    column = position - (content.rfind("\n", 0, position) + 1) + 1
    return place_at(span.input.name, line, column)


def file_location(location: Attribute) -> FileLineColLoc | None:
    """The first file, line and column in a location."""
    if isinstance(location, FileLineColLoc):
        return location
    parts: tuple[Attribute, ...] = ()
    if isinstance(location, NameLoc):
        parts = (location.location,)
    elif isinstance(location, CallSiteLoc):
        parts = (location.callee, location.caller)
    elif isinstance(location, FusedLoc):
        parts = tuple(cast(ArrayAttr[Attribute], location.locations))
    found = (file_location(part) for part in parts)
    return next((place for place in found if place is not None), None)


def source_name(path: Path) -> str:
    """The name of a file in errors."""
    return "<stdin>" if path == STDIN else str(path)


def _nearest(path: Path) -> str:
    """A remedy for a file that does not exist: the nearest name, or its folder."""
    folder = path.parent
    names = sorted(child.name for child in folder.iterdir()) if folder.is_dir() else []
    near = get_close_matches(path.name, names, 1)
    if near:
        return f"did you mean '{folder / near[0]}'?"
    if not folder.is_dir():
        return f"there is no folder '{folder}' either"
    same = [name for name in names if name.endswith(path.suffix or ".mlir")]
    return f"the folder has: {', '.join(same[:8]) or 'no such files'}"


def read_text(path: Path) -> str:
    """The text of a file, or of standard input for `-`."""
    name = source_name(path)
    try:
        raw = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"no such file: {path}", remedy=_nearest(path)) from error
    except OSError as error:
        remedy = "name a file in it" if path.is_dir() else "give a file you may read"
        raise UserError(
            f"cannot read {path}: {error.strerror or error}", remedy=remedy
        ) from error
    if raw.startswith(_BYTECODE):
        raise UserError(
            f"{name} is MLIR bytecode",
            remedy=f"turn it into text first: mlir-opt {name} -o text.mlir",
        )
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        text = raw.split(b"\n")[line - 1].decode("utf-8", "replace")
        raise UserError(
            f"byte 0x{raw[error.start]:02X} is not UTF-8 text",
            Place(name, line, column, text if text.isprintable() else None),
            "save the file as UTF-8, if it is text at all",
        ) from error
