"""The comments of an `.mlir` text, by op."""

from __future__ import annotations

from bisect import bisect_right

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.parsing.sources import file_location
from tilewright.schedules.language.comments.notes import TEXT, Comments
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp


def mlir_comments(text: str, module: ModuleOp, file: str) -> Comments:
    """The comments of the text that a module was read from."""
    comments = Comments(file)
    starts = sorted(_op_lines(module, file))
    if not starts:
        return comments
    comments.begins(starts[0])
    choices = _op_lines(module, file, AlternativesOp)
    is_top = True
    pending: list[str] = []
    blocks = _Blocks()
    for number, line in enumerate(text.split("\n"), 1):
        code, comment = _split(line)
        if not code:
            if comment or (pending or number > starts[0]) and pending[-1:] != [""]:
                pending.append(comment)
            continue
        start = starts[max(0, bisect_right(starts, number) - 1)]
        lone = [each for each in pending if each]
        was_top, is_top = is_top, False
        closed = blocks.read(code, start if start <= number else _MODULE)
        if start == number:
            comments.at(number).above += pending
            comments.at(number).beside = comment
            blocks.last = number
            pending = []
            continue
        pending = []
        if closed is not None:
            inside, owner = closed
            comments.at(inside or owner or start).below += lone
            if not comment:
                continue
            if owner == _MODULE:
                comments.end.append(comment)
            elif owner in choices and code.endswith("{"):
                branch = blocks.branch
                comments.has_branch(owner, branch, number)
                comments.at(number).beside = comment
            else:
                comments.at(owner).closing = comment
            continue
        lone += [comment] if comment else []
        if number < start and was_top:
            comments.top = lone
        elif number < start:
            pending = lone  # before the first op
        else:
            comments.at(start).above += lone
    comments.end += [each for each in pending if each]
    return comments


_MODULE = 0
"""Stands for the line of the module, which no statement expresses."""


class _Blocks:
    """The blocks that are open in a text, by the lines of the ops that have them."""

    def __init__(self) -> None:
        self._open: list[tuple[int, int]] = []
        """The op's line and the number of its region, the innermost last."""
        self._last: list[int] = [_MODULE]
        """The last op of each open block; the first entry is the text's."""

    @property
    def last(self) -> int:
        """The line of the last op of the innermost block."""
        return self._last[-1]

    @last.setter
    def last(self, line: int) -> None:
        # What follows a `{` on its line is in the block; its op is in the one around.
        is_opened = bool(self._open) and self._open[-1][0] == line
        self._last[-2 if is_opened else -1] = line

    @property
    def branch(self) -> int:
        """The number of the region that is the innermost block."""
        return self._open[-1][1] if self._open else 0

    def read(self, code: str, owner: int) -> tuple[int, int] | None:
        """Read a line without strings; `owner` is the op that its blocks belong to.

        Gives the last op and the owner of the block that the line closes first.
        """
        closed: tuple[int, int] | None = None
        region = 0
        depth = 0
        for char in code:
            if char == "{":
                depth += 1
                self._open.append((owner, region))
                self._last.append(_MODULE)
            elif char == "}" and self._open:
                depth -= 1
                line, number = self._open.pop()
                inside = self._last.pop()
                if depth < 0 and closed is None:
                    closed = inside, line
                    owner, region = line, number + 1
        return closed if code.startswith("}") else None


def _op_lines(
    module: ModuleOp, file: str, kind: type[Operation] = Operation
) -> set[int]:
    """The lines of the ops of a kind, without the module itself."""
    lines: set[int] = set()
    for op in module.walk():
        if not isinstance(op, kind):
            continue
        location = file_location(op.location)
        if op is not module and location is not None and location.filename.data == file:
            lines.add(location.line.data)
    return lines


def _split(line: str) -> tuple[str, str]:
    """The code and the comment of a line."""
    for found in TEXT.finditer(line):
        if found.group().startswith("//"):
            return line[: found.start()].strip(), found.group().rstrip()
    return line.strip(), ""
