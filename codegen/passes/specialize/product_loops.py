"""What a loop does with its products: adds them up, or computes with them."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.codegen.passes.specialize.stages import loads_of, readers
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import DotOp


def dots_of(loop: Operation | None) -> list[DotOp]:
    """The products of a loop's body."""
    if not isinstance(loop, scf.ForOp):
        return []
    return [op for op in loop.body.block.ops if isinstance(op, DotOp)]


def needs_another(loop: scf.ForOp) -> bool:
    """Whether a product needs the result of another one of the same step."""
    dots = dots_of(loop)
    later: set[Operation] = set()
    for op in loop.body.block.ops:
        needed = {value.owner for inner in op.walk() for value in inner.operands}
        if any(one in needed for one in (*dots, *later)):
            if op in dots:
                return True
            later.add(op)
    return False


def adds_up(loop: scf.ForOp) -> bool:
    """Whether all that a loop does with its tiles is to add products up."""
    dots, loads = dots_of(loop), loads_of(loop.body.block)
    nested = any(isinstance(op, scf.ForOp) for op in loop.body.block.ops)
    reads = [op for load in loads for op, _ in readers(load.result)]
    return (
        bool(dots)
        and not nested
        and all(op in dots for op in reads)
        and all(_is_added(dot, loop) for dot in dots)
    )


def _is_added(dot: DotOp, loop: scf.ForOp) -> bool:
    """Whether a product is added to what the loop carries, and nothing else reads."""
    acc, uses = dot.acc, list(dot.result.uses)
    if acc is None or acc.owner is not loop.body.block or len(list(acc.uses)) != 1:
        return False
    if len(uses) != 1 or not isinstance(uses[0].operation, scf.YieldOp):
        return False
    number = list(loop.body.block.args).index(acc)  # pyright: ignore
    return uses[0].index == number - 1
