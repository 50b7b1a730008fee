"""Errors a user sees: a fact, the place it is about, and a remedy.

Everything derived from `UserError` is the user's program's fault and prints without a
traceback. Whatever else escapes is a bug in the compiler.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.ir.printable import printable

_WIDEST = 400
"""Of a longer line, only the part around the caret is shown."""
_LONGEST = 4000
"""Longer facts, which repeat the user's text, are cut."""


@dataclass(frozen=True)
class Place:
    """A position in a source text; `line` and `column` count from 1."""

    file: str
    line: int
    column: int
    text: str | None = None
    """The source line itself, for the caret."""
    part: str | None = field(default=None, compare=False)
    """What part of the program is written there, such as a kernel of a plan."""

    def __str__(self) -> str:
        """`file:line:column`, as editors understand it."""
        return f"{printable(self.file)}:{self.line}:{self.column}"

    def excerpt(self) -> str | None:
        """The source line with a caret under the column, if the line is known."""
        if self.text is None:
            return None
        before, after = self.text[: self.column - 1], self.text[self.column - 1 :]
        if len(before) + len(after) > _WIDEST:
            if len(before) > _WIDEST // 2:
                before = "..." + before[-_WIDEST // 2 :]
            if len(after) > _WIDEST // 2:
                after = after[: _WIDEST // 2] + "..."
        before, after = printable(before, keep="\t"), printable(after, keep="\t")
        pad = "".join("\t" if c == "\t" else " " for c in before)
        return f"  {before}{after}\n  {pad}^"


@dataclass(frozen=True)
class Note:
    """A further place that explains an error, such as the op that consumed a handle."""

    fact: str
    place: Place | None = None


@dataclass
class UserError(Exception):
    """A mistake in a payload, a schedule or a request; never shown as a traceback."""

    fact: str
    place: Place | None = None
    remedy: str | None = None
    notes: list[Note] = field(default_factory=list[Note])

    def __post_init__(self) -> None:
        """Let `str()` and pickling see the message."""
        super().__init__(self.fact, self.place, self.remedy, self.notes)

    def __str__(self) -> str:
        """The whole message: place, fact, remedy, the line with a caret, notes."""
        return self.message()

    def message(self, severity: str = "error") -> str:
        """The whole message, as an error or as a warning."""
        lines = [_headline(self.place, severity, self.fact, self.remedy)]
        if self.place is not None and (excerpt := self.place.excerpt()):
            lines.append(excerpt)
        for note in self.notes:
            lines.append(_headline(note.place, "note", note.fact, None))
            if note.place is not None and (excerpt := note.place.excerpt()):
                lines.append(excerpt)
        return "\n".join(lines)


class SilenceableFailure(UserError):
    """The schedule does not apply here; alternatives and the tuner move on."""


class DefiniteFailure(UserError):
    """The schedule itself is broken; running on makes no sense."""


class CompileWarning(UserWarning):
    """A Python warning: the program compiles, and is probably not what was meant."""


def remark(fact: str, place: Place | None) -> str:
    """A remark of a schedule about a place, with its line and a caret."""
    lines = [_headline(place, "remark", fact, None)]
    if place is not None and (excerpt := place.excerpt()):
        lines.append(excerpt)
    return "\n".join(lines)


def _headline(place: Place | None, kind: str, fact: str, remedy: str | None) -> str:
    where = f"{place}: " if place is not None else ""
    tail = f"; {remedy}" if remedy else ""
    if len(fact) > _LONGEST:
        fact = f"{fact[:_LONGEST]}..."
    return f"{where}{kind}: {fact}{tail}"


class CompilerBug(Exception):
    """The compiler is wrong: reported as a bug, not as a user's error."""

    evidence: str | None = None
    """The folder with the reproducer, if one was written."""
