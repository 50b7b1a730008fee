"""The IR after a step as lines, and the ops that begin and end on them."""

from __future__ import annotations

import io
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.diffs import StableNames, StablePrinter


@dataclass(frozen=True)
class Span:
    """An op, and its first and last line; lines count from 0."""

    op: int
    first: int
    last: int


@dataclass(frozen=True)
class Listing:
    """A module as text."""

    lines: list[str]
    spans: list[Span]


class Lister:
    """Prints a module after each step; values keep their names, ops their numbers."""

    def __init__(self) -> None:
        self._names = StableNames()
        self._numbers: dict[Operation, int] = {}

    def number(self, op: Operation) -> int:
        """The number of an op, which is the same in every step."""
        return self._numbers.setdefault(op, len(self._numbers))

    def list(self, module: ModuleOp) -> Listing:
        """The lines of a module, and where its ops are."""
        self._names.forget_all_but(module)
        stream = io.StringIO()
        printer = _SpanPrinter(self, self._names, stream)
        printer.print_op(module)
        return Listing(stream.getvalue().splitlines(), printer.spans)


class _SpanPrinter(StablePrinter):
    """Notes the line on which each op begins and ends."""

    def __init__(self, lister: Lister, names: StableNames, stream: io.StringIO):
        super().__init__(names, stream)
        self._lister = lister
        self.spans: list[Span] = []

    def print_op(self, op: Operation) -> None:
        """Print an op and note its lines."""
        first = self._current_line
        super().print_op(op)
        if not isinstance(op, ModuleOp):
            number = self._lister.number(op)
            self.spans.append(Span(number, first, self._current_line))
