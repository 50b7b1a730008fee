"""The rolling form with factors that are stored transposed first.

The tensor cores read factors of 32 bits along the sum only. A right factor that lies
across it, as the values of attention, would be transposed by every program that reads
it, element by element.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.targets import Target
from tilewright.planning.sketches.base import Point
from tilewright.planning.sketches.matmuls.statements import transpose_first
from tilewright.planning.sketches.matmuls.transposed import transposing_seconds
from tilewright.planning.sketches.streams.rolling import RollingStream
from tilewright.planning.sketches.streams.shape import StreamShape
from tilewright.planning.writing.lines import Lines


class TransposedStream(RollingStream):
    """A kernel for each factor that lies across its sum, then the rolling form."""

    label = "streamed_transposed"

    def __init__(self, shape: StreamShape, target: Target):
        super().__init__(shape, target, cuts=True)
        self.work = replace(self.work, across=0)
        self.summary = f"factors across the sum transposed first, {self.summary}"

    def seconds(self, point: Point) -> float:
        """All kernels."""
        first = sum(
            transposing_seconds(facts.inputs[1], self.target)
            for facts in self.shape.across
        )
        return super().seconds(point) + first

    def write(self, lines: Lines) -> None:
        """Transpose each factor in a grid of its own, then as the rolling form."""
        for facts in self.shape.across:
            transpose_first(lines, facts, 1)
        super().write(lines)
