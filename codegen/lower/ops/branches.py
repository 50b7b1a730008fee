"""Branches on a scalar condition: all threads of a program take the same one.

**Before** (buffer level)

    %y = scf.if %is_diagonal -> (vector<16x16xf32>) { ... scf.yield %a : ... }
         else { ... scf.yield %b : ... }

**After** (kernel level): the same on tiles. Addresses that both sides need are computed
before the branch.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.codegen.analysis.elements.tiles import tile_type
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import CompareOp, element_of

LowerBlock = Callable[[Block], None]
"""Lowers the ops of a payload block into the scope that is being built."""


def lower_if(
    op: scf.IfOp, builder: Builder, values: TileValues, lower_block: LowerBlock
) -> None:
    """Lower a branch; each side is built in a scope of its own."""
    refuse_indices(op)
    condition = values[op.cond]
    first, second = list(op.true_region.blocks), list(op.false_region.blocks)
    opposite = _opposite(condition)
    if opposite is not None and second and len(first[0].ops) == 1:
        # The first side is empty: swap the sides.
        condition = builder.add(opposite)
        first, second = second, first
    then, otherwise = (
        [_side(block, builder, values, lower_block) for block in side]
        for side in (first, second)
    )
    types = [tile_type(result.type) for result in op.output]
    branch = scf.IfOp(condition, types, Region(then), Region(otherwise))
    builder.add(branch, like=op)
    for payload, result in zip(op.output, branch.output, strict=True):
        result.name_hint = reader_name(payload.name_hint)
        values[payload] = result


_OPPOSITES = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


def _opposite(condition: SSAValue) -> CompareOp | None:
    """The negated comparison of integers; for floats, NaN allows none."""
    compare = condition.owner
    if not isinstance(compare, CompareOp):
        return None
    if not isinstance(element_of(compare.lhs.type), IntegerType):
        return None
    sign = _OPPOSITES[compare.predicate.data]
    return CompareOp(sign, compare.lhs, compare.rhs)


def _side(
    source: Block, builder: Builder, values: TileValues, lower_block: LowerBlock
) -> Block:
    block = Block()
    with builder.inside(block):
        lower_block(source)
        terminator = source.last_op
        assert isinstance(terminator, scf.YieldOp)
        builder.add(scf.YieldOp(*[values[v] for v in terminator.arguments]))
    return block


def refuse_indices(op: Operation) -> None:
    """Refuse an index that control flow yields: addresses cannot use it."""
    if any(isinstance(result.type, IndexType) for result in op.results):
        refuse(
            op,
            "gives an index, which addresses and masks cannot be computed from",
            "compute it from the indices of grid and loops, or carry an i32",
        )
