"""Where a text leads to an error of another file: at the include, or at the import."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.editor.answers.document import Document
from tilewright.editor.reading.positions import Spot, spot_of
from tilewright.ir.errors import Place, UserError
from tilewright.schedules.language.syntax import File
from tilewright.schedules.library.imports import with_imports

_TOP = Spot(1, 1)


def spot_in(document: Document, error: UserError) -> Spot:
    """The spot of an error in a text; the top if nothing in the text leads to it."""
    place = error.place
    if place is None:
        return _TOP
    if place.file == str(document.path):
        return spot_of(place)
    return next(_leading(document, place, error), _TOP)


def _leading(document: Document, place: Place, error: UserError) -> Iterator[Spot]:
    """What leads to a place of another file, the most exact first."""
    for note in error.notes:
        if note.place is not None and note.place.file == str(document.path):
            yield spot_of(note.place)
    yield from _includes(document, place)
    files = {place.file, *(note.place.file for note in error.notes if note.place)}
    for statement in document.partial.file.imports:
        imported = with_imports(File((), (), (statement,)), str(document.path))
        places = [d.place.file for d in imported.definitions.values()]
        if files.intersection(places):
            yield spot_of(statement.place)


def _includes(document: Document, place: Place) -> Iterator[Spot]:
    """The includes of the sequence around a place."""
    for found in document.names.occurrences:
        sequence = document.sequences.get(found.name)
        if found.binding is not None or sequence is None:
            continue
        is_inside = sequence.place.line <= place.line <= sequence.end.line
        if sequence.place.file == place.file and is_inside:
            yield found.spot
