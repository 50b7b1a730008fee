"""Let new ops take the place of a chain's reductions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects.linalg import FillOp
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.stream.analysis.chain import Chain


def put_in_place(
    chain: Chain,
    values: Mapping[SSAValue, SSAValue],
    stands_for: Sequence[Operation],
    inserted: Sequence[Operation],
    rewriter: Rewriter,
) -> None:
    """Replace the reductions' results by `values`, and erase what nothing reads.

    `inserted` are the new ops, side by side in the block. What reads their results and
    stands before them moves behind them.
    """
    ops: list[Operation] = [*chain.ops]
    starts = {o.owner for op in chain.ops for o in op.outputs}
    for op, made in zip(chain.reductions, stands_for, strict=True):
        rewriter.replace(op, [values[r] for r in op.results], stands_for=made)
    ops = [op for op in starts if isinstance(op, FillOp)] + ops
    for op in reversed(ops):
        if op.parent is not None and not any(r.first_use for r in op.results):
            rewriter.erase(op)
    _move_readers(inserted, rewriter)


def _move_readers(inserted: Sequence[Operation], rewriter: Rewriter) -> None:
    block = inserted[0].parent
    assert block is not None
    late: list[Operation] = []
    behind: set[Operation] = set(inserted)
    for op in block.ops:
        if op is inserted[0]:
            break
        if any(
            isinstance(value.owner, Operation) and value.owner in behind
            for nested in op.walk()
            for value in nested.operands
        ):
            late.append(op)
            behind.add(op)
    anchor = inserted[-1].next_op
    assert anchor is not None
    for op in late:
        rewriter.move_before(op, anchor)
