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

_INDENT = "  "


def with_comments(module: ModuleOp, comments: Comments) -> str:
    """The text of a module, with comments above and behind its ops."""
    text = to_text(module)
    printed = parse_module(text, "<printed>", schedule_context())
    page = _Page(text)
    last_of_branches: list[tuple[int, list[str], str]] = []
    for op, place in zip(module.walk(), printed.walk(), strict=True):
        line = _line(place)
        notes = comments.of(op)
        page.put(line, notes.above, page.indent(line))
        page.put_behind(line, notes.beside)
        closings = page.closings(line)
        if isinstance(op, AlternativesOp):
            for number, region in enumerate(place.regions):
                branch = comments.of_branch(op, number)
                first = _line(region.block.first_op)
                above = list(branch.above)
                if not number or not page.put_behind(
                    closings[number - 1], branch.beside
                ):
                    above.append(branch.beside)
                page.put(first, [each for each in above if each], page.indent(first))
                last = [each for each in (branch.closing, *branch.below) if each]
                inner = page.indent(line) + _INDENT
                last_of_branches.append((closings[number], last, inner))
        end = max([line, *closings])
        below = [each for each in notes.below if each]
        if notes.closing and (end == line or not page.put_behind(end, notes.closing)):
            below.insert(0, notes.closing)
        page.put(end + 1, below, page.indent(line))
    for line, last, inner in last_of_branches:
        page.put(line, last, inner)
    return "\n".join([*comments.top, *page.lines(), *comments.end]) + "\n"


class _Page:
    """The lines of a text, and the comments that are to stand among them."""

    def __init__(self, text: str) -> None:
        self._lines = text.rstrip("\n").split("\n")
        self._above: dict[int, list[str]] = defaultdict(list)
        self._behind: dict[int, str] = {}

    def indent(self, number: int) -> str:
        """The spaces at the begin of a line; lines count from 1."""
        line = self._lines[number - 1]
        return line[: len(line) - len(line.lstrip())]

    def closings(self, number: int) -> list[int]:
        """The lines that close the regions of the op at a line, the last one last."""
        indent = self.indent(number)
        found: list[int] = []
        for later, line in enumerate(self._lines[number:], number + 1):
            if line.startswith(f"{indent}}}"):
                found.append(later)
                if not line.endswith("{"):
                    break
            elif not line.startswith((f"{indent}{_INDENT}", f"{indent}^")):
                break
        return found

    def put(self, number: int, comments: list[str], indent: str) -> None:
        """Add lines above a line; `""` is an empty one."""
        self._above[number] += [f"{indent}{each}" if each else "" for each in comments]

    def put_behind(self, number: int, comment: str) -> bool:
        """Add a comment behind a line; whether there is room for it."""
        if comment and number in self._behind:
            return False
        if comment:
            self._behind[number] = comment
        return True

    def lines(self) -> list[str]:
        """The lines with the comments; no empty line stands at the begin of a block."""
        written: list[str] = []
        for number, line in enumerate(self._lines, 1):
            is_first = bool(written) and written[-1].split("  //")[0].endswith("{")
            for comment in self._above.get(number, ()):
                if comment or not (is_first or written[-1:] == [""]):
                    written.append(comment)
                is_first = False
            end = self._behind.get(number)
            written.append(f"{line}  {end}" if end else line)
        return written + self._above.get(len(self._lines) + 1, [])


def _line(op: Operation | None) -> int:
    location = None if op is None else file_location(op.location)
    assert location is not None
    return location.line.data
