"""A schedule that grows statement by statement, and its payload after each.

Every statement runs the schedule from its beginning: a run takes milliseconds, and so
the payload is always what the text says. Undo takes the last statement out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Operation

from tilewright.check_schedule.findings import Severity
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import check_text
from tilewright.editor.answers.holdings import (
    Held,
    Holdings,
    holdings_of,
    shown_point,
)
from tilewright.editor.highlighting.words import all_words
from tilewright.editor.reading.payload import Payload
from tilewright.editor.reading.scanner import scan
from tilewright.ir.diffs import Diffs
from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.pipeline import open_run
from tilewright.schedules.language.formatting.format import format_text
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.interpreter import ENTRY, ScheduleRun, Step

FILE = "shell.tw"
"""What errors call the schedule."""


@dataclass(frozen=True)
class Outcome:
    """What a statement did."""

    diff: tuple[str, ...] = ()
    """The hunks of a unified diff of the payload."""
    bound: tuple[tuple[str, Held], ...] = ()
    """The names that it bound, and what they hold."""
    warnings: tuple[UserError, ...] = ()


@dataclass
class ShellSession:
    """The statements so far, and the payload after them."""

    payload: Payload
    name: str = "shell"
    statements: list[str] = field(default_factory=list[str])
    undone: list[str] = field(default_factory=list[str])
    module: ModuleOp = field(init=False)
    """The payload after the statements."""
    holdings: Holdings = field(default_factory=Holdings)

    def __post_init__(self) -> None:
        """Begin with the payload as it was given."""
        self.module = self.payload.module

    # -- the text ----------------------------------------------------------------

    def text(self, statement: str | None = None) -> str:
        """The schedule, with one more statement if one is given."""
        return "\n".join(self._lines(statement)[0]) + "\n"

    def _lines(self, statement: str | None = None) -> tuple[list[str], int]:
        """The lines of the schedule, and the line on which the statement begins."""
        return self._lines_of(
            [*self.statements, *([] if statement is None else [statement])]
        )

    def _lines_of(self, all_: list[str]) -> tuple[list[str], int]:
        """The lines of statements, and the line on which the last of them begins."""
        outside = [each for each in all_ if is_definition(each)]
        inside = [each for each in all_ if not is_definition(each)]
        lines: list[str] = []
        begins = 1
        for each in outside:
            begins = len(lines) + 1
            lines += each.split("\n")
        lines.append(f"schedule {self.name}(root) {{")
        for each in inside:
            if each is all_[-1]:
                begins = len(lines) + 1
            lines += [f"  {line}" for line in each.split("\n")]
        return [*lines, "}"], begins

    def document(self, statement: str) -> tuple[Document, int]:
        """The text with an unfinished statement, and the line it begins on."""
        lines, begins = self._lines(statement)
        path = Path(FILE)
        text = "\n".join(lines) + "\n"
        return Document(text, path, self.payload, self.holdings), begins

    def saved_text(self, folder: Path) -> str:
        """The text of a file: it names the payload, and is formatted.

        Files are named from the folder of the file.
        """
        shown = os.path.relpath(self.payload.path.resolve(), folder.resolve())
        text = _imports_from(self.text(), Path(FILE).parent, folder)
        return format_text(f"// payload: {shown}\n{text}", FILE)

    # -- running -----------------------------------------------------------------

    def add(self, statement: str) -> Outcome:
        """Run one more statement; one that fails raises its error and changes nothing.

        A definition is checked, and runs where it is included, not here.
        """
        lines, begins = self._lines(statement)
        outcome, run, holdings = self._run(lines, begins)
        if is_definition(statement):
            outcome = Outcome()
        self.statements.append(statement)
        self.undone.clear()
        self.module, self.holdings = run.payload, holdings
        return outcome

    def undo(self) -> str:
        """Take the last statement out; gives its text.

        The others run again, which fails if a file that they import has changed; then
        nothing is taken out.
        """
        if not self.statements:
            raise UserError("there is no statement to undo")
        *others, last = self.statements
        lines, _ = self._lines_of(others)
        _, run, holdings = self._run(lines, 0)
        self.statements = others
        self.undone.append(last)
        self.module, self.holdings = run.payload, holdings
        return last

    def redo(self) -> Outcome:
        """Run the statement again that was undone last."""
        if not self.undone:
            raise UserError("there is no statement to run again")
        *others, last = self.undone
        outcome = self.add(last)
        self.undone = others
        return outcome

    def _run(
        self, lines: list[str], begins: int
    ) -> tuple[Outcome, ScheduleRun, Holdings]:
        """Run a schedule; the outcome is that of the statements from a line on."""
        checked = check_text("\n".join(lines) + "\n", Path(FILE))
        for finding in checked.findings:
            if finding.severity is Severity.ERROR:
                raise finding.error
        assert checked.schedule is not None and checked.space is not None
        point = shown_point(checked.space)
        run = open_run(self.payload.module, checked.schedule, point)
        diffs = Diffs(run.payload)
        before = _last_before(run.schedule, begins)

        def after(op: TransformOp, _: Step | None) -> None:
            if op is before:
                diffs.after(run.payload)

        holdings = holdings_of(run, ENTRY, point, after_each=after)
        if holdings.error is not None:
            raise holdings.error
        bound = [
            (name, held)
            for (file, line, name), held in holdings.held.items()
            if file == FILE and line >= begins
        ]
        outcome = Outcome(
            tuple(diffs.after(run.payload)),
            tuple(bound),
            tuple(w for w in run.warnings if w.place and w.place.line >= begins),
        )
        return outcome, run, holdings


def is_definition(statement: str) -> bool:
    """Whether a text stands outside of schedules: an import, a sequence."""
    first = next((t.text for t in scan(statement) if t.kind != "COMMENT"), "")
    return first in all_words().definitions


def _imports_from(text: str, old: Path, new: Path) -> str:
    """A text whose imports of files are written for another folder."""
    parts: list[str] = []
    copied = 0
    before = ""
    for token in scan(text):
        if token.kind == "STRING" and before == "import":
            source = old / token.text[1:-1]
            # A link keeps its name: the sequences of the file are called after it.
            path = source.parent.resolve() / source.name
            shown = Path(os.path.relpath(path, new.resolve())).as_posix()
            parts += [text[copied : token.start], f'"{shown}"']
            copied = token.end
        before = token.text
    return "".join([*parts, text[copied:]])


def is_complete(text: str) -> bool:
    """Whether every bracket of a text is closed, and its last line does not go on."""
    depth = 0
    last = ""
    for token in scan(text):
        if token.kind == "COMMENT" or token.text == "\n":
            continue
        last = token.text
        if token.kind == "SIGN":
            depth += {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}.get(last, 0)
    return depth <= 0 and last not in (",", "=")


def _last_before(module: ModuleOp, line: int) -> Operation | None:
    """The last op of the main sequence that stands before a line."""
    last: Operation | None = None
    for op in module.ops:
        if isinstance(op, NamedSequenceOp) and op.sym_name.data == ENTRY:
            for each in op.body.block.ops:
                place = place_of(each)
                if place is not None and place.file == FILE and place.line < line:
                    last = each
    return last
