"""Where a name is defined, where it is used, and what a renaming changes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilewright.editor.answers.document import Document
from tilewright.editor.reading.names import Binding, Meaning, Occurrence
from tilewright.editor.reading.positions import Span, Spot, span_of, spot_of
from tilewright.editor.reading.scanner import keywords, terminal
from tilewright.ir.errors import Place, UserError
from tilewright.schedules.language.syntax import LIBRARY
from tilewright.schedules.library.imports import FOLDER

_WHOLE_FILE = (
    Meaning.KNOB,
    Meaning.CHOICE,
    Meaning.BRANCH,
    Meaning.SEQUENCE,
    Meaning.SCHEDULE,
)
"""Names that a decision table or another definition may use, too."""


@dataclass(frozen=True)
class Target:
    """A part of a file."""

    path: Path
    span: Span


def definition_of(document: Document, spot: Spot) -> Target | None:
    """Where the name at a spot gets its meaning."""
    found = document.names.at(spot)
    if found is None:
        return None
    if found.binding is not None:
        binding = found.binding
        return Target(document.path, span_of(binding.name, binding.spot))
    definition = document.sequences.get(found.name)
    if definition is None:
        return None
    short = definition.name.text.rpartition(".")[2]
    path = path_of(definition.place)
    return Target(path, span_of(short, spot_of(definition.name.place)))


def path_of(place: Place) -> Path:
    """The file of a place; files of the library have a short name."""
    if place.file.startswith(LIBRARY):
        return FOLDER / place.file.removeprefix(LIBRARY)
    return Path(place.file)


def uses_of(document: Document, spot: Spot) -> list[Span]:
    """Every place where the name at a spot stands, bindings included.

    All bindings of one name in a definition belong together: `mm = fuse mm into grid`
    goes on with the name it was given.
    """
    found = document.names.at(spot)
    if found is None or found.binding is None:
        return []
    return [span_of(each.name, each.spot) for each in _same(document, found)]


def _same(document: Document, found: Occurrence) -> list[Occurrence]:
    assert found.binding is not None
    space = _name_space(found.binding)
    same = [
        each
        for each in document.names.occurrences
        if each.name == found.name
        and each.binding is not None
        and _name_space(each.binding) == space
    ]
    if any(each.binding and each.binding.meaning in _WHOLE_FILE for each in same):
        return same
    return [each for each in same if each.definition is found.definition]


def _name_space(binding: Binding) -> tuple[Meaning, str | None]:
    """Names of two spaces never mean each other: `tail = choose tail { ... }`."""
    if binding.meaning in (Meaning.SEQUENCE, Meaning.SCHEDULE):
        return Meaning.SEQUENCE, None
    if binding.meaning in (Meaning.CHOICE, Meaning.BRANCH):
        return binding.meaning, binding.choice
    return Meaning.HANDLE, None


def rename(document: Document, spot: Spot, new: str) -> list[Span]:
    """The spans to replace by a new name; refuses one that would change a meaning."""
    import re

    spans = uses_of(document, spot)
    found = document.names.at(spot)
    if found is None or not spans:
        raise UserError("there is no name to rename here", remedy="point at a name")
    if document.partial.left_out:
        line = min(document.partial.left_out)
        raise UserError(f"line {line} does not parse", remedy="mend it, then rename")
    if not re.fullmatch(terminal("NAME"), new) or "." in new or new in keywords():
        raise UserError(
            f"'{new}' cannot be a name", remedy="use letters, digits and '_'"
        )
    changed = {id(each.definition) for each in _same(document, found)}
    taken = {
        each.name
        for each in document.names.occurrences
        if id(each.definition) in changed
    }
    if new in taken and new != found.name:
        raise UserError(f"'{new}' is a name here already", remedy="choose another")
    return spans
