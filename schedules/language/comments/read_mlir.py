"""The comments of an `.mlir` text, by op."""

from __future__ import annotations

from bisect import bisect_right

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.parsing.sources import file_location
from tilewright.schedules.language.comments.notes import TEXT, Comments


def mlir_comments(text: str, module: ModuleOp, file: str) -> Comments:
    """The comments of the text that a module was read from."""
    comments = Comments(file)
    starts = sorted(_op_lines(module, file))
    if not starts:
        return comments
    comments.begins(starts[0])
    is_top = True
    pending: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        code, comment = _split(line)
        if not code:
            if comment or (pending or number > starts[0]) and pending[-1:] != [""]:
                pending.append(comment)
            continue
        before = starts[max(0, bisect_right(starts, number) - 1)]
        lone = [each for each in pending if each]
        was_top, is_top = is_top, False
        if before == number:
            comments.at(number).above += pending
            comments.at(number).beside = comment
            pending = []
            continue
        lone += [comment] if comment else []
        pending = []
        if number < before and was_top:
            comments.top = lone
        elif number < before:
            pending = lone  # before the first op
        elif code.startswith("}"):
            comments.at(before).below += lone
        else:
            comments.at(before).above += lone
    comments.end += [each for each in pending if each]
    return comments


def _op_lines(module: ModuleOp, file: str) -> set[int]:
    lines: set[int] = set()
    for op in module.walk():
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
