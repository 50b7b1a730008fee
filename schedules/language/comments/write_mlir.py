"""MLIR with the comments of the text that its module was read from."""

from __future__ import annotations

from collections import defaultdict

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.parsing.sources import file_location
from tilewright.ir.text import parse_module, to_text
from tilewright.schedules.language.comments.notes import Comments
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.dialect import schedule_context


def with_comments(module: ModuleOp, comments: Comments) -> str:
    """The text of a module, with comments above and behind its ops."""
    text = to_text(module)
    printed = parse_module(text, "<printed>", schedule_context())
    above: dict[int, list[str]] = defaultdict(list)
    behind: dict[int, str] = {}
    for op, place in zip(module.walk(), printed.walk(), strict=True):
        line = _line(place)
        notes = comments.of(op)
        above[line] += notes.above
        behind[line] = behind.get(line) or notes.beside
        if isinstance(op, AlternativesOp):
            for number, region in enumerate(place.regions):
                branch = comments.of_branch(op, number)
                lines = [*branch.above, branch.beside, branch.closing, *branch.below]
                above[_line(region.block.first_op)] += [each for each in lines if each]
        below = [each for each in (notes.closing, *notes.below) if each]
        if place.next_op is not None:
            above[_line(place.next_op)] += below
        else:
            above[line] += below
    lines = list(comments.top)
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        indent = line[: len(line) - len(line.lstrip())]
        is_first = bool(lines) and lines[-1].endswith("{")
        for comment in above.get(number, ()):
            if comment or not (is_first or lines[-1:] == [""]):
                lines.append(f"{indent}{comment}" if comment else "")
            is_first = False
        end = behind.get(number)
        lines.append(f"{line}  {end}" if end else line)
    return "\n".join([*lines, *comments.end]) + "\n"


def _line(op: Operation | None) -> int:
    location = None if op is None else file_location(op.location)
    assert location is not None
    return location.line.data
