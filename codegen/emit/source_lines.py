"""The lines of a kernel's source, and the places they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath

from xdsl.ir import Operation

from tilewright.codegen.source import escape
from tilewright.codegen.source.python_text import (
    WIDTH,
    Binary,
    Expression,
    Name,
    Suffix,
    is_awkward,
    lay_out,
)
from tilewright.ir.errors import Place
from tilewright.ir.text import place_of

INDENT = 4


class SourceLines:
    """Lines under construction, at an indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.translate: Callable[[Expression], Expression] = lambda value: value
        """Applied to each expression before it is written."""
        self._indent = INDENT
        self._places: dict[int, Place] = {}
        self._around: dict[int, Place] = {}

    def __len__(self) -> int:
        """The number of lines so far."""
        return len(self.lines)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Write the body of a loop or a branch."""
        self._indent += INDENT
        yield
        self._indent -= INDENT

    def assign(self, name: str, value: Expression) -> None:
        """`name = value`, or `name += value` if that is equivalent."""
        if is_awkward(value, f"{name} = ", self._indent):
            self.line(f"{name} = ", value.value)
            value = Suffix(Name(name), value.text)
        if (
            isinstance(value, Binary)
            and value.operator in ("+", "-", "*", "/", "//")
            and value.left == Name(name)
            and Name(name) not in value.right.walk()
        ):
            self.line(f"{name} {value.operator}= ", value.right)
        elif (
            isinstance(value, Binary)
            and value.operator in ("+", "*")
            and value.right == Name(name)
            and Name(name) not in value.left.walk()
        ):
            self.line(f"{name} {value.operator}= ", value.left)
        else:
            self.line(f"{name} = ", value)

    def line(self, lead: str, value: Expression, tail: str = "") -> None:
        """An expression between two texts, on as many lines as needed."""
        self.lines += lay_out(lead, self.translate(value), tail, self._indent)

    def assign_all(self, names: Sequence[str], values: Sequence[Expression]) -> None:
        """`a, b = x, y`."""
        texts = ", ".join(str(self.translate(value)) for value in values)
        self.text(f"{', '.join(names)} = {texts}")

    def text(self, text: str) -> None:
        """A line as it is."""
        self.lines.append(" " * self._indent + text)

    def blank(self) -> None:
        """An empty line, unless the last one is."""
        if self.lines[-1]:
            self.lines.append("")

    def comment(self, text: str) -> None:
        """`# text`."""
        self.text(f"# {escape.comment(text)}")

    def comment_place(self, op: Operation) -> None:
        """The place that made a loop, with its text if it is in a `.tw` schedule."""
        place = place_of(op)
        if place is None:
            return
        file = PurePath(place.file).name
        words = " ".join((place.text or "").split("//")[0].split())
        said = f": {words}" if file.endswith(".tw") and words else ""
        text = escape.comment(f"{file}:{place.line}{said}")
        room = WIDTH - self._indent - len("# ")
        if len(text) > room:
            text = text[: room - len(" ...")]
            text = (text.rpartition(" ")[0] or text) + " ..."
        self.comment(text)

    # Places.

    def note_place(self, op: Operation, first: int) -> None:
        """Note the place of the op that made the lines from `first` on."""
        if (place := place_of(op)) is None:
            return
        for line in range(first, len(self.lines)):
            # Lines inside a loop already have a place of their own.
            self._places.setdefault(line, place)
            if op.regions:
                self._around.setdefault(line, place)

    def places(self, before: int) -> list[tuple[int, Place]]:
        """The places by line; `before` lines come first, and the `def` is line 1."""
        return [(before + i + 1, place) for i, place in sorted(self._places.items())]

    def around(self, before: int) -> list[tuple[int, Place]]:
        """The place of the innermost loop or branch that has each line, likewise."""
        return [(before + i + 1, place) for i, place in sorted(self._around.items())]
