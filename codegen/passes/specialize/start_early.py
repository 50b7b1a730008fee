"""Start the products of a loop as early as their operands allow.

**Before**

    %s = kernel.dot %k, %q
    %p = math.exp2 %s
    %d = kernel.dot %v, %do
    %x = arith.mulf %p, %d
    %dk = kernel.dot %x, %q, %acc
    %dv = kernel.dot %p, %do, %other

**After**

    %s = kernel.dot %k, %q
    %d = kernel.dot %v, %do
    %p = math.exp2 %s                      // under the product of %v
    %dv = kernel.dot %p, %do, %other
    %x = arith.mulf %p, %d                 // under the product of %p
    %dk = kernel.dot %x, %q, %acc

Loads of rows through pointers come first, so that their numbers arrive under the
products.

**Requires** a loop that stores nothing, in which a product stands behind arithmetic
that it does not need. Others keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation
from xdsl.traits import is_side_effect_free

from tilewright.codegen.passes.specialize.product_loops import dots_of
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import DescriptorLoadOp, DotOp, FuncOp, LoadOp


def start_early(kernel: FuncOp) -> None:
    """Reorder the loops of a kernel in which a product waits without need."""
    for op in list(kernel.body.walk()):
        if isinstance(op, scf.ForOp) and _may_move(op.body.block):
            _reorder(op.body.block)


def _may_move(block: Block) -> bool:
    """Whether only loads and arithmetic are in a block, and a product is late."""
    *ops, _ = block.ops
    if any(op.regions or not _is_movable(op) for op in ops):
        return False
    dots = dots_of(block.parent_op())
    later: set[Operation] = set()
    for op in ops:
        if op in dots and later and not _needs(op, block) & set(dots):
            return True
        if op not in dots and _needs(op, block) & set(dots):
            later.add(op)
    return False


def _is_movable(op: Operation) -> bool:
    return isinstance(op, LoadOp | DescriptorLoadOp | DotOp) or is_side_effect_free(op)


def _reorder(block: Block) -> None:
    """Loads of rows, then each product that is ready before all other arithmetic."""
    *ops, last = block.ops
    dots = dots_of(block.parent_op())
    loads = [op for op in ops if isinstance(op, LoadOp)]
    order: list[Operation] = []

    def place(wanted: Operation) -> None:
        needed = _needs(wanted, block) | {wanted}
        order.extend(op for op in ops if op in needed and op not in order)

    for load in loads:
        if not _needs(load, block) & set(dots):
            place(load)
    while waiting := [dot for dot in dots if dot not in order]:
        place(_readiest(waiting, block, order))
    order += [op for op in ops if op not in order]
    for op in order:
        op.detach()
    block.insert_ops_before(order, last)


def _readiest(
    waiting: Sequence[DotOp], block: Block, order: Sequence[Operation]
) -> DotOp:
    """The product that needs the fewest others, and the fewest ops, of what is left."""

    def left(dot: DotOp) -> tuple[int, int]:
        needed = _needs(dot, block) - set(order)
        return len(needed & set(waiting)), len(needed)

    return min(waiting, key=left)


def _needs(op: Operation, block: Block) -> set[Operation]:
    """The ops of a block that an op depends on."""
    found: set[Operation] = set()
    waiting = list(op.operands)
    while waiting:
        owner = waiting.pop().owner
        if (
            isinstance(owner, Operation)
            and owner.parent is block
            and owner not in found
        ):
            found.add(owner)
            waiting += owner.operands
    return found
