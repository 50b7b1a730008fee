"""Lines of a schedule: indented statements, with names of knobs for each kernel."""

from __future__ import annotations

import textwrap
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.writing.names import is_taken

WIDTH = 100
"""The longest line of a planned schedule."""


class Lines:
    """Statements of a planned schedule, as they are written."""

    def __init__(
        self, suffix: str = "", depth: int = 1, shared: Sequence[OpFacts] = ()
    ):
        self.suffix = suffix
        self.words: Mapping[str, str] = {}
        """The branches that were best for this kernel, by the names of choices."""
        self.shared = shared
        self.depth = depth
        self.text: list[str] = []

    def add(self, line: str = "") -> None:
        """Write a line."""
        self.text.append("  " * self.depth + line if line else "")

    def comment(self, text: str) -> None:
        """Write a comment, on as many lines as it needs."""
        for line in textwrap.wrap(text, WIDTH - 2 * self.depth - 3):
            self.add(f"// {line}")

    def add_side_by_side(self, statements: Sequence[str]) -> None:
        """Write short statements, as many on a line as fit."""
        line = ""
        for statement in statements:
            longer = f"{line}    {statement}" if line else statement
            if line and len(longer) + 2 * self.depth > WIDTH:
                self.add(line)
                longer = statement
            line = longer
        if line:
            self.add(line)

    def knob(self, name: str) -> str:
        """A knob's name in this schedule: several kernels may have a knob `BM`."""
        assert is_taken(name), f"no op may be called '{name}': add it to CHOICES"
        return name + self.suffix

    def choose(self, name: str, branches: Mapping[str, str], default: str) -> None:
        """A choice between statements; a branch that was measured is the default."""
        word = self.words.get(name, default)
        chosen = word if word in branches else default
        with self.block(f"choose {self.knob(name)} default {chosen}"):
            for label, statement in branches.items():
                self.add(
                    f"{label} {{ {statement} }}" if statement else f"{label} {{ }}"
                )

    @contextmanager
    def block(self, head: str) -> Generator[None]:
        """A statement with a body in braces."""
        self.add(head + " {")
        self.depth += 1
        yield
        self.depth -= 1
        self.add("}")

    def fuse_all(
        self, ops: Sequence[OpFacts], grid: str, shared: Sequence[OpFacts] = ()
    ) -> None:
        """Fuse ops into a grid, the last one first; shared ones come later."""
        for facts in sorted(ops, key=lambda f: -f.number):
            if facts not in shared:
                self.add(f"{facts.name}, {grid} = fuse {facts.name} into {grid}")

    def tile_sink(self, group: Group, sizes: Sequence[str | int], grid: str) -> None:
        """Tile the loops of the sinks onto blocks; 0 leaves a loop whole.

        `sizes` are the sink's; the loops of other sinks along the same axes have the
        same sizes, and all grids become one. Where a sketch has collapsed the sink's
        loops, it has collapsed those of the other sinks alike.
        """
        self.tile_op(group.sink.name, sizes, grid)
        by_axis = {
            group.axis(group.sink, loop): size for loop, size in enumerate(sizes)
        }
        for other in group.also_sinks:
            own = sizes
            if len(sizes) == len(group.sink.extents):
                axes = (group.axis(other, loop) for loop in range(len(other.extents)))
                own = [by_axis.get(axis, 0) for axis in axes]
            self.tile_op(other.name, own, f"{grid}_{other.name}")
            self.add(f"{grid} = fuse_sibling {grid}_{other.name} into {grid}")

    def tile_op(self, name: str, sizes: Sequence[str | int], grid: str) -> None:
        """Tile an op's loops onto blocks; 0 leaves a loop whole."""
        tiled = [str(size) for size in sizes if str(size) != "0"]
        while sizes and str(sizes[-1]) == "0":
            sizes = sizes[:-1]
        mapping = ", ".join(f"block.{axis}" for axis in _axes(len(tiled)))
        listed = ", ".join(str(size) for size in sizes)
        self.add(f"{name}, {grid} = tile {name} by [{listed}] onto [{mapping}]")


def merged(ops: Sequence[OpFacts]) -> str:
    """Several ops as one handle."""
    names = [facts.name for facts in ops]
    return names[0] if len(names) == 1 else f"merge({', '.join(names)})"


def _axes(rank: int) -> list[str]:
    """The dimensions of a grid, outermost first: x, y and z, or as many as needed."""
    if rank <= 3:
        return ["z", "y", "x"][3 - rank :]
    return [f"linear_dim_{number}" for number in reversed(range(rank))]
