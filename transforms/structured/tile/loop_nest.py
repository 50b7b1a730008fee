"""A perfect nest of `scf.for` loops over tiles, carrying tensors.

Bounds stand before the outermost loop, as upstream has them: what works on
perfect nests (coalesce, unroll_and_jam) takes it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.dialects import scf
from tilewright.transforms.core.extents import INDEX, Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter


@dataclass(frozen=True)
class LoopNest:
    """Loops, outermost first; the innermost body has no yield yet."""

    loops: tuple[scf.ForOp, ...]
    indices: Mapping[int, SSAValue]
    """The index of each loop that was asked for, by its number."""

    @property
    def body(self) -> Block:
        """The innermost body."""
        return self.loops[-1].body.block

    @property
    def carried(self) -> list[SSAValue]:
        """The values that the innermost body receives."""
        return list(self.body.args[1:])


def build_loop_nest(
    before: Operation,
    order: Sequence[int],
    ranges: Sequence[Extent],
    steps: Sequence[Extent],
    carried: Sequence[SSAValue],
    made_by: LocationAttr,
    rewriter: Rewriter,
) -> LoopNest:
    """Insert loops before an op, `order[0]` outermost, each from 0 to its range."""
    bounds = OpList()
    zeros = [bounds.index(0) for _ in order]
    ends = [bounds.index(ranges[loop]) for loop in order]
    strides = [bounds.index(steps[loop]) for loop in order]
    rewriter.insert_before(before, *bounds.ops)
    loops: list[scf.ForOp] = []
    for start, stop, step in zip(zeros, ends, strides, strict=True):
        block = Block(arg_types=[INDEX, *(value.type for value in carried)])
        loop = scf.ForOp(start, stop, step, carried, Region(block))
        loop.location = made_by
        if loops:
            inside = loops[-1].body.block
            rewriter.insert_at_end(inside, loop, scf.YieldOp(*loop.res))
        else:
            rewriter.insert_before(before, loop)
        carried = list(block.args[1:])
        loops.append(loop)
    indices = {
        loop: made.body.block.args[0] for loop, made in zip(order, loops, strict=True)
    }
    return LoopNest(tuple(loops), indices)
