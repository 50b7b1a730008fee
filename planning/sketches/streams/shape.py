"""The sizes of a streamed chain: rows, the dimension, what a tile holds, its masks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WIDE_LOAD, WORD
from tilewright.ir.powers import power_of_two
from tilewright.planning.analysis.facts import Operand, OpFacts, Role
from tilewright.planning.analysis.gathers import count_gathers
from tilewright.planning.analysis.masks import IndexMask, index_mask
from tilewright.planning.grouping.group import Group, Place, Stream
from tilewright.planning.model.streams import StreamWork
from tilewright.planning.sketches.matmuls.shape import fits_descriptor, instructions
from tilewright.planning.writing.terms import Term

FEWEST_HELD = 64
"""Tiles of fewer rows are multiplied from registers anyway."""
FEW_ROWS = 32
"""Rows that no instruction of 64 rows is worth the while for."""
MOST_ROWS = 128
"""The rows of the largest tile."""


@dataclass(frozen=True)
class StreamShape:
    """A group that streams a chain."""

    group: Group
    stream: Stream

    @property
    def axis(self) -> Place:
        """The dimension that is streamed."""
        return self.group.axis(self.stream.matmul, self.stream.loop)

    @cached_property
    def row(self) -> int | None:
        """The matmul's loop that is tiled for rows: the longest, if one is short."""
        loops = self.stream.rows
        extents = self.stream.matmul.extents
        if not loops or extents[loops[-1]] >= 16:
            return loops[-1] if loops else None
        return max(loops, key=lambda loop: extents[loop])

    @property
    def rows(self) -> int:
        """The rows of one matrix."""
        return 1 if self.row is None else self.stream.matmul.extents[self.row]

    @property
    def batch(self) -> int:
        """How many matrices there are."""
        matmul = self.stream.matmul
        skipped = (self.row, self.stream.loop, *self.stream.columns)
        return math.prod(
            extent for i, extent in enumerate(matmul.extents) if i not in skipped
        )

    @property
    def features(self) -> int:
        """The columns of the last matmul."""
        return self.stream.matmul.count(self.stream.columns)

    @property
    def sums(self) -> int:
        """The columns of all matmuls that sum the dimension up."""
        outer = {
            self.group.axis(self.stream.matmul, loop)
            for loop in self.stream.matmul.parallel
            if loop not in self.stream.columns
        }
        return sum(
            facts.count(
                [i for i in facts.parallel if self.group.axis(facts, i) not in outer]
            )
            for facts in self.matmuls
            if facts not in self.makers
        )

    @cached_property
    def makers(self) -> list[OpFacts]:
        """The matmuls that make elements along the dimension."""
        return [
            facts
            for facts in self.matmuls
            if any(self.group.axis(facts, loop) == self.axis for loop in facts.parallel)
        ]

    @property
    def between_bytes(self) -> int:
        """The bytes of the tensors along the dimension, which no kernel stores."""
        return sum(
            facts.written_bytes
            for facts in self.stream.ops
            if any(self.group.axis(facts, loop) == self.axis for loop in facts.parallel)
        )

    @cached_property
    def matmuls(self) -> list[OpFacts]:
        """All matmuls of the chain."""
        return [f for f in self.stream.ops if f.role == Role.CONTRACTION]

    @cached_property
    def masks(self) -> list[IndexMask]:
        """The conditions on the streamed index."""
        found: list[IndexMask] = []
        for facts in self.group.ops:
            for loop in range(len(facts.extents)):
                if self.group.axis(facts, loop) == self.axis:
                    mask = index_mask(facts, loop)
                    found += [mask] if mask is not None else []
        return found

    @property
    def ends_longer(self) -> bool:
        """Whether a mask leaves more of the dimension to the last tiles."""
        if self.row is None or self.rows <= MOST_ROWS:
            return False
        axis = self.group.axis(self.stream.matmul, self.row)
        return any(
            mask.reads(loop) and mask.grows
            for mask in self.masks
            for loop in range(len(mask.facts.extents))
            if self.group.axis(mask.facts, loop) == axis
        )

    def work(self, target: Target) -> StreamWork:
        """The chain as the cost model takes it."""
        loaded, kept, widest, width = 0, 0, 0, 1
        seen: set[SSAValue] = set(self.group.made)
        for facts in self.matmuls:
            for operand in facts.inputs:
                if operand.value in seen:
                    continue
                seen.add(operand.value)
                width = max(width, operand.element.byte_width)
                held = self._held(facts, operand)
                if self._runs_along(facts, operand):
                    loaded += held
                    widest = max(widest, held)
                else:
                    kept += held
        across = sum(
            self._held(facts, facts.inputs[1])
            for facts in self.across
            if self._runs_along(facts, facts.inputs[1])
        )
        pairs = self.rows * self.batch * self.stream.length
        flops = sum(map(self._padded_flops, self.matmuls)) / max(pairs, 1)
        factor = self.stream.matmul.inputs[0].element.name
        tf32x3 = self.is_f32 and target.multiplies_tf32x3 and self.rows > FEW_ROWS
        return StreamWork(
            self.rows,
            self.batch,
            self.stream.length,
            self.sums,
            max(loaded, 1),
            kept,
            width,
            flops,
            target.matmul_flops(factor) if tf32x3 else target.flops(factor),
            self._all_instructions(target),
            self.group.moved_bytes,
            min((mask.share() for mask in self.masks), default=1.0),
            max(map(self._depth, self.stream.ops)),
            tf32x3,
            widest,
            across,
            max(1, len(self.makers)),
        )

    def _held(self, facts: OpFacts, operand: Operand) -> int:
        """The elements of a factor that a tile has of each row, or of each place."""
        return math.prod(
            power_of_two(facts.extents[loop])
            for loop in operand.loops
            if loop is not None and self._is_inner(facts, loop)
        )

    def _runs_along(self, facts: OpFacts, operand: Operand) -> bool:
        """Whether an operand has the dimension."""
        return any(
            loop is not None and self.group.axis(facts, loop) == self.axis
            for loop in operand.loops
        )

    @property
    def is_f32(self) -> bool:
        """Whether all factors are f32."""
        kinds = {o.element.name for facts in self.matmuls for o in facts.inputs}
        return kinds == {"f32"}

    @cached_property
    def across(self) -> list[OpFacts]:
        """The matmuls whose right factor comes from memory, across its sum there."""
        made = {result for facts in self.group.ops for result in facts.op.results}
        found: list[OpFacts] = []
        for facts in self.matmuls:
            dims, right = facts.contraction, facts.inputs[1]
            assert dims is not None
            is_matrix = None not in right.loops and len(dims.k) == len(dims.n) == 1
            if is_matrix and right.value not in made and right.loops[-1] not in dims.k:
                found.append(facts)
        return found

    @property
    def can_transpose(self) -> bool:
        """Whether factors lie across their sums, and can be loaded in wide pieces from
        transposed copies."""
        return bool(self.across) and not any(
            facts.open_loops or facts.count(facts.reduced) * WORD % WIDE_LOAD
            for facts in self.across
        )

    def _depth(self, facts: OpFacts) -> int:
        """The elements of an op for each row and place, unless tiles multiply them."""
        loops = range(len(facts.extents))
        axes = [self.group.axis(facts, loop) for loop in loops]
        if facts.role == Role.CONTRACTION or self.axis not in axes:
            return 1
        return math.prod(
            power_of_two(facts.extents[loop])
            for loop in loops
            if self._is_inner(facts, loop)
        )

    def _padded_flops(self, facts: OpFacts) -> float:
        """The arithmetic of a matmul whose tiles have powers of two as sizes."""
        inner = [i for i in range(len(facts.extents)) if self._is_inner(facts, i)]
        return facts.flops * math.prod(
            power_of_two(facts.extents[loop]) / facts.extents[loop] for loop in inner
        )

    def _is_inner(self, facts: OpFacts, loop: int) -> bool:
        """Whether a loop is neither a row nor the dimension, nor a batch."""
        axis = self.group.axis(facts, loop)
        matmul = self.stream.matmul
        outer = [i for i in matmul.parallel if i not in self.stream.columns]
        return axis != self.axis and all(
            self.group.axis(matmul, i) != axis for i in outer
        )

    def _all_instructions(self, target: Target) -> float:
        """The instructions of the loop for each element of the chain."""
        gathers = count_gathers([f for f in self.group.ops if self._instructions(f)])
        fitted = target.calibration.gathers
        counted = sum(map(self._instructions, self.group.ops))
        return counted + gathers * (fitted.read + fitted.index)

    def _instructions(self, facts: OpFacts) -> int:
        """The instructions of an op for each element of the chain."""
        if facts.role == Role.CONTRACTION or not any(
            self.group.axis(facts, loop) == self.axis
            for loop in range(len(facts.extents))
        ):
            return 0
        return instructions(facts)

    @property
    def first(self) -> OpFacts:
        """The first matmul of the chain."""
        return min(self.matmuls, key=lambda facts: facts.number)

    @property
    def summed(self) -> int:
        """The columns of the left factor of the first matmul, as a tile has them."""
        return power_of_two(self.first.count(self.first.reduced))

    @cached_property
    def is_left_computed(self) -> bool:
        """Whether the kernel computes the left factor of the first matmul."""
        made = {result for facts in self.group.ops for result in facts.op.results}
        return self.first.inputs[0].value in made

    @property
    def is_held(self) -> bool:
        """Whether registers can hold the left factor of the first matmul."""
        left = self.first.inputs[0]
        return (
            self.rows >= FEWEST_HELD
            and left.element.name in ("f16", "bf16")
            and not self.is_left_computed
            and not any(
                loop is not None and self.group.axis(self.first, loop) == self.axis
                for loop in left.loops
            )
        )

    @property
    def is_described(self) -> bool:
        """Whether descriptors can load the factors of the matmuls."""
        made = {result for facts in self.group.ops for result in facts.op.results}
        return all(
            fits_descriptor(operand)
            for facts in self.matmuls
            for operand in facts.inputs
            if operand.value not in made
        )

    def sizes(self, sink: OpFacts, rows: Term) -> list[Term]:
        """The tile of each loop of a sink: rows, 1, or 0 for what a tile holds."""
        matmul = self.stream.matmul
        wanted: dict[Place, Term] = {
            self.group.axis(matmul, loop): 1
            for loop in matmul.parallel
            if loop not in self.stream.columns
        }
        if self.row is not None:
            wanted[self.group.axis(matmul, self.row)] = rows
        return [
            wanted.get(self.group.axis(sink, loop), 0)
            for loop in range(len(sink.extents))
        ]
