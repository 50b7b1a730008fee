"""One loop over a row for all its reductions, by running values, and one to store.

A loop for each reduction that waits for another reads the row once for each. `stream`
computes them in one pass: an online softmax, Welford's variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.codegen.targets import Target
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.model.row_loops import RowLoops
from tilewright.planning.sketches.base import Point
from tilewright.planning.sketches.rows.looped import LoopedRows
from tilewright.planning.sketches.rows.shape import EXP2, RowShape
from tilewright.planning.writing.lines import Lines, action, merged, suppressed
from tilewright.transforms.structured.stream.derivable import (
    counts_elements,
    derivable_chain,
)


def streamed_steps(shape: RowShape, columns: Sequence[int]) -> list[int]:
    """The columns of an iteration in which one loop can compute all reductions.

    None if no reduction waits for another. A mean needs the number of elements so far,
    which code generation does not count in a partial tile.
    """
    reductions = [facts for facts in shape.group.ops if shape.reduces(facts)]
    if len(shape.levels()) < 2 or any(len(f.reduced) != 1 for f in reductions):
        return []
    last = [facts for facts in reductions if not _is_read(shape, facts, reductions)]
    within: list[StructuredOp] = [facts.op for facts in shape.group.ops]
    try:
        chain = derivable_chain(
            [facts.op for facts in last], [facts.reduced[0] for facts in last], within
        )
    except SilenceableFailure:
        return []
    if not all(facts.op in chain.axis for facts in reductions):
        return []
    is_counted = counts_elements(chain)
    return [
        step
        for step in columns
        if step < shape.length and not (is_counted and shape.length % step)
    ]


def _is_read(shape: RowShape, facts: OpFacts, reductions: list[OpFacts]) -> bool:
    """Whether a later reduction needs the result of a reduction."""
    reached = {facts}
    for other in shape.group.ops:
        if any(made in reached for _, made in shape.producers(other)):
            reached.add(other)
    return any(other in reached for other in reductions if other is not facts)


class StreamedRows(LoopedRows):
    """A program loops over its row once for all reductions, and once to store."""

    summary = "one loop over a row for all reductions, with running values"

    def __init__(self, shape: RowShape, target: Target, columns: int):
        super().__init__(shape, target, columns)
        self.label = f"streamed_rows_{columns}"
        self.summary = StreamedRows.summary + (
            ", and one to store" if self.stores else ""
        )

    @property
    def passes(self) -> int:
        """How often a row is read."""
        return 1 + self.stores

    def loops(self, point: Point) -> RowLoops:
        """As for loops by lanes; the lanes of an iteration combine their results."""
        combined = len(self._reductions) / self.passes
        return replace(super().loops(point), combined=combined)

    @property
    def instructions(self) -> float:
        """Exponentials are to the base 2; only the last tile of a row has a mask."""
        masks = len(self._reductions) if self._has_masks else 0
        return (self.shape.instructions(EXP2) + masks) / self.passes

    @property
    def _reductions(self) -> list[OpFacts]:
        return [facts for facts in self.shape.group.ops if self.shape.reduces(facts)]

    @property
    def _is_partial(self) -> bool:
        """Whether the last tile of a row is partial."""
        return bool(self.shape.length % self.columns)

    @property
    def _has_masks(self) -> bool:
        """Whether every tile has a mask: aligned rows begin in front of the row."""
        return self._is_partial and self.shape.can_align

    def write(self, lines: Lines) -> None:
        """A grid of single rows, one streaming loop, and one to store."""
        shape = self.shape
        powers = [
            facts for facts in shape.group.exponentials if facts not in lines.shared
        ]
        if powers:
            # Refused for exponentials of f16.
            lines.add(suppressed("root", action("exp2", merged(powers))))
        self.write_launch(lines)
        lines.include("clean", "grid")
        lines.do("stream", "grid", "by", self.columns, to=("sums", "loop"))
        lines.pipeline("loop", unroll=lines.knob("unroll"))
        if self._is_partial and not self._has_masks:
            lines.do("peel", "loop", to=("main", "rest"))
            lines.include("clean", "grid")
        self.write_stores(lines)
