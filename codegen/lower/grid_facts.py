"""What the ops of a grid access, which dimensions run together, and their names.

All of it is read before anything is built: a tile's name comes from every access along
its axis, and whether a mask is needed from the ranges of all indices around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

from tilewright.codegen.analysis.indices import Atom
from tilewright.codegen.analysis.views import access_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import scf, vector

if TYPE_CHECKING:
    from tilewright.codegen.lower.kernel import KernelLowering


def analyse(lowering: KernelLowering, block: Block, level: int) -> None:
    """Read the ops of a block that stands so many loops deep."""
    for op in block.ops:
        if isinstance(op, vector.TransferReadOp | vector.TransferWriteOp):
            access = access_of(op, lowering.indices)
            lowering.accesses[op] = access
            tile = op.results[0] if op.results else op.operands[0]
            lowering.axes.add_access(access, tile)
        if isinstance(op, scf.ForOp):
            _analyse_loop(lowering, op, level)
        if isinstance(op, scf.IfOp):
            for side in op.regions:
                for inner in side.blocks:
                    analyse(lowering, inner, level + 1)
        lowering.axes.add_op(op)


def _analyse_loop(lowering: KernelLowering, op: scf.ForOp, level: int) -> None:
    lower, upper, step = (lowering.indices.linear(v) for v in (op.lb, op.ub, op.step))
    if not step.is_constant or step.constant < 1:
        refuse(op, "the loop's step is not a positive constant")
    high = upper.high - 1
    if lower.is_constant and upper.is_constant:
        trips = -(-(upper.constant - lower.constant) // step.constant)
        high = lower.constant + (trips - 1) * step.constant
    lowering.loops.append(op)
    index = op.body.block.args[0]
    is_open = lower.is_open or upper.is_open
    high = max(high, lower.low)
    lowering.indices.define(index, lower.low, high, level, is_open=is_open)
    analyse(lowering, op.body.block, level + 1)


def atom_of(lowering: KernelLowering, index: SSAValue) -> Atom:
    """What a grid index or a loop variable is in index arithmetic."""
    (atom,) = lowering.indices.linear(index).terms
    return atom


def name_sizes(lowering: KernelLowering) -> None:
    """Give extents of buffers and tiles their names before any is read."""
    axes = lowering.axes
    for access in lowering.accesses.values():
        for dim, lane in enumerate(access.lanes):
            letter = axes.letter_of(access.op, dim)
            size = access.sizes[dim]
            if size.is_constant:
                axes.extent(access.op, dim, size.constant)
            elif len(size.terms) == 1:
                lowering.parameters.name_size(next(iter(size.terms)), letter)
            if lane is not None:
                axes.block(letter, access.shape[lane])
    for access in lowering.accesses.values():
        for start in access.starts:
            for atom, coefficient in start.terms.items():
                axes.step(axes.letter_of_atom(atom), coefficient)
    for loop in lowering.loops:
        step = lowering.indices.linear(loop.step).constant
        letter = axes.letter_of_atom(atom_of(lowering, loop.body.block.args[0]))
        axes.step(letter, step)
