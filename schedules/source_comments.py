"""The comments of a schedule's text, ready for a text that is written from it."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.sources import file_location, known_source
from tilewright.schedules.language.comments.notes import Comments
from tilewright.schedules.language.comments.read_mlir import mlir_comments
from tilewright.schedules.language.comments.read_tw import tw_comments
from tilewright.schedules.language.syntax import LIBRARY
from tilewright.transforms.control.choices.open_choices import choices
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp


def read_comments(
    module: ModuleOp, source: str, *, is_resolved: bool = True
) -> Comments:
    """The comments of the text that a module was read from.

    Where the branches that are taken stand in line (`is_resolved`), the comments of a
    `choose` stand above the first statement of its branch.
    """
    files = _files(module)
    if not files or not source:
        return Comments()
    file, *imported = files
    if file.endswith(".mlir"):
        comments = mlir_comments(source, module, file)
    else:
        try:
            comments = tw_comments(source, file)
        except UserError:
            return Comments()  # made of statements, and printed in another form
        comments.settle(module)
    for other in imported:
        text = known_source(other)
        if text is not None and other.endswith(".tw"):
            comments.add(tw_comments(text, other))
    for op in choices(module) if is_resolved else ():
        if isinstance(op, AlternativesOp) and op.selected_region is not None:
            comments.inline(op, op.selected_region)
    return comments


def _files(module: ModuleOp) -> list[str]:
    """The files that the definitions of a module were read from.

    The schedule's own comes first. In a module, the schedule stands after the sequences
    of the files that it imports.
    """
    found: dict[str, None] = {}
    for op in reversed(list(module.ops)):
        location = file_location(op.location)
        if location is not None and not location.filename.data.startswith(LIBRARY):
            found[location.filename.data] = None
    return list(found)
