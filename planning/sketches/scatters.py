"""Scatters: the kernel that computes the updates writes them to their places."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.ir.structured.scatters import has_own_updates, scatter_of
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import text


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketch of a scatter that alone reads its indices and its values."""
    is_alone = all(facts is group.sink or facts in group.fills for facts in group.ops)
    if group.sink.role != Role.SCATTER or not is_alone:
        return ()
    scatter = scatter_of(group.sink.op)
    if scatter is None or not has_own_updates(group.sink.op):
        return ()
    return [(AtomicAdds if scatter.adds else Stores)(group, target)]


class Stores(Sketch):
    """No launch of its own: the kernel before it stores at the places themselves."""

    label = "stores"
    summary = "the kernel of its updates stores them"
    is_sure = True
    calls_library = True

    def knobs(self) -> Sequence[Knob]:
        """None: the tiles are those of the other kernel."""
        return ()

    def seconds(self, point: Point) -> float:
        """The other kernel has the time of the stores."""
        return 0.0

    def write(self, lines: Lines) -> None:
        """Mark the scatter."""
        lines.do("library", self.group.sink.name, "by", text(self.label))


class AtomicAdds(Stores):
    """No launch of its own: the kernel before it adds instead of storing."""

    label = "atomics"
    summary = "the kernel of its updates adds them with atomics"
