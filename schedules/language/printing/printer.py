"""Transform IR as text of the schedule language: the header, imports and definitions.

`definition_text.py` writes each definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp

from tilewright.ir.printable import printable
from tilewright.schedules.language.comments.notes import Comments
from tilewright.schedules.language.printing.definition_text import (
    DefinitionText,
    unwritable,
)
from tilewright.schedules.language.printing.names import unique_name
from tilewright.transforms.interpreter import ENTRY


def print_schedule(
    module: ModuleOp,
    name: str,
    library: Mapping[str, NamedSequenceOp],
    header: Sequence[str] = (),
    imported: Callable[[str], Mapping[str, NamedSequenceOp]] = lambda _: {},
    comments: Comments | None = None,
) -> str:
    """The text of a schedule, without the sequences that the library has too.

    `library` has those that need no import, `imported` those of a file of the library.
    """
    comments = comments or Comments()
    parts: list[str] = []
    titles: dict[str, str] = {}
    for op in module.ops:
        if not isinstance(op, NamedSequenceOp):
            raise unwritable(op)
        titles[op.sym_name.data] = unique_name(op.sym_name.data, titles.values())
    titles[ENTRY] = unique_name(name, ())
    files = _imports(module, imported)
    if files:
        parts.append("\n".join(f"import {file}" for file in files))
    written: list[NamedSequenceOp] = []
    for op in module.ops:
        assert isinstance(op, NamedSequenceOp)
        shared = library.get(op.sym_name.data)
        is_shared = shared is not None and op.is_structurally_equivalent(shared)
        if not is_shared and _file_of(op) not in files:
            written.append(op)
            parts.append(DefinitionText(op, titles, comments).text)
    top = list(comments.top)
    if top and top[-1] and not files and written and _file_of(written[0]):
        top.append("")  # they do not describe the sequence of the other file
    text = "\n".join([*top, "\n\n".join(parts), *comments.end])
    return "\n".join([*_header(header), text]) + "\n"


def _header(lines: Sequence[str]) -> list[str]:
    """The lines above a schedule, and an empty one below them."""
    shown = [printable(line) for line in lines]
    return [*(f"// {line}" if line else "//" for line in shown), *([""] * bool(lines))]


def _imports(
    module: ModuleOp, imported: Callable[[str], Mapping[str, NamedSequenceOp]]
) -> list[str]:
    """The files of the library all of whose sequences are here as they are there."""
    found: dict[str, bool] = {}
    for op in module.ops:
        assert isinstance(op, NamedSequenceOp)
        if file := _file_of(op):
            shared = imported(file).get(op.sym_name.data)
            same = shared is not None and op.is_structurally_equivalent(shared)
            found[file] = found.get(file, True) and same
    return [file for file, is_same in found.items() if is_same]


def _file_of(op: NamedSequenceOp) -> str:
    """The file in the full name of a sequence; empty if it has none."""
    return op.sym_name.data.rpartition(".")[0]
