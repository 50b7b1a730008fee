"""Names the user's own line in errors about lines of included files."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp

from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.syntax import LIBRARY
from tilewright.transforms.control.sequence import IncludeOp
from tilewright.transforms.interpreter import ENTRY

_Sequences = dict[str, NamedSequenceOp]


@contextmanager
def noting_includes(module: ModuleOp, entry: str = ENTRY) -> Generator[None]:
    """Add the includes to an error that is raised inside."""
    try:
        yield
    except UserError as error:
        note_includes([error], module, entry)
        raise


def note_includes(
    errors: Iterable[UserError], module: ModuleOp, entry: str = ENTRY
) -> None:
    """Add notes with the includes that lead to the place of each error.

    An error in the file where a run begins, or with a note there, stays as it is.
    """
    sequences = {
        op.sym_name.data: op for op in module.ops if isinstance(op, NamedSequenceOp)
    }
    main = sequences.get(entry)
    home = None if main is None else place_of(main)
    if main is None or home is None:
        return
    for error in errors:
        places = [error.place, *(note.place for note in error.notes)]
        if error.place is None or any(p and p.file == home.file for p in places):
            continue
        name = _sequence_at(error.place, sequences)
        for include in reversed(_way_to(name, main, sequences)):
            title = include.target.string_value()
            error.notes.append(Note(f"in '{title}', included here", place_of(include)))


def _sequence_at(place: Place, sequences: _Sequences) -> str | None:
    """The sequence whose text has a place: the last that begins before it."""
    found: dict[int, str] = {}
    for name, sequence in sequences.items():
        start = place_of(sequence)
        if start and start.file == place.file and start.line <= place.line:
            found[start.line] = name
    return found[max(found)] if found else None


def _way_to(
    name: str | None, main: NamedSequenceOp, sequences: _Sequences
) -> list[IncludeOp]:
    """The shortest chain of includes from the main sequence, the outermost first."""
    ways: dict[str, list[IncludeOp]] = {main.sym_name.data: []}
    waiting = [main]
    for sequence in waiting:
        way = ways[sequence.sym_name.data]
        for include in _includes(sequence):
            target = include.target.string_value()
            if target in sequences and target not in ways:
                ways[target] = [*way, include]
                waiting.append(sequences[target])
    return [] if name is None else ways.get(name, [])


def _includes(sequence: NamedSequenceOp) -> Iterator[IncludeOp]:
    return (op for op in sequence.walk() if isinstance(op, IncludeOp))


def own_remarks(remarks: Iterable[Note]) -> list[Note]:
    """The remarks on the user's own lines: the library suppresses what it foresees."""
    return [
        note
        for note in remarks
        if note.place is None or not note.place.file.startswith(LIBRARY)
    ]
