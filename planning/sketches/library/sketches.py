"""A library's calls as sketches of a group, alone or before a kernel."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.program import CallInfo
from tilewright.codegen.targets import Target
from tilewright.ir.phrases import count
from tilewright.planning.grouping.group import Group
from tilewright.planning.model.library import call_time
from tilewright.planning.sketches.base import Around, Knob, Point, Sketch
from tilewright.planning.sketches.library.calls import Call
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import text


class LibraryCalls(Sketch):
    """Calls of a library for the whole group, one for each of its matmuls."""

    label = "library_calls"
    is_sure = True
    calls_library = True

    def __init__(self, group: Group, target: Target, calls: Sequence[Call]):
        super().__init__(group, target)
        self.calls = calls
        self.is_several = len(calls) > 1
        self.summary = f"{count(len(calls), 'call')} of {calls[0].library}"

    def knobs(self) -> Sequence[Knob]:
        """None: the library decides."""
        return ()

    def seconds(self, point: Point) -> float:
        """The library's time for matmuls of these shapes."""
        return sum(call_time(call.info, self.target).seconds for call in self.calls)

    def write(self, lines: Lines) -> None:
        """Hand the last op of each call over; the matmul and its fill go with it."""
        for call in self.calls:
            name = call.op.name
            if call.inlined is not None:
                lines.inline(call.inlined.name, name)
            lines.do("library", name, "by", text(call.library))


class LibraryCall(LibraryCalls):
    """One call of a library for the whole group."""

    label = "library"

    def __init__(self, group: Group, target: Target, call: Call):
        super().__init__(group, target, [call])
        self.summary = f"one call of {call.library}"

    @property
    def info(self) -> CallInfo:
        """The work of the call."""
        return self.calls[0].info


class PaddedCall(LibraryCall):
    """A library's matmul of copies whose rows are whole 16 bytes.

    Libraries take four times as long, or more, for rows of other lengths.
    """

    label = "padded_library"
    is_sure = False

    def __init__(self, group: Group, target: Target, call: Call):
        super().__init__(group, target, call)
        self.summary = "a call of cublas on copies with rows of whole 16 bytes"


class LibraryAndKernel(Around):
    """Calls of a library for the matmuls, then a kernel of the element-wise ops."""

    calls_library = True

    def __init__(
        self, group: Group, target: Target, calls: Sequence[Call], kernel: Sketch
    ):
        super().__init__(group, target, kernel)
        self.first = LibraryCalls(group, target, calls)
        self.is_several = self.first.is_several
        self.label = "library_and_kernel"
        self.summary = f"{self.first.summary}, then {kernel.summary}"

    def seconds(self, point: Point) -> float:
        """One after the other."""
        return self.first.seconds(point) + super().seconds(point)

    def write(self, lines: Lines) -> None:
        """Hand the matmuls over, and write the kernel of the rest."""
        self.first.write(lines)
        super().write(lines)
