"""Compute indices by `affine.apply`, the form that code generation reads.

`tilewright.index_arithmetic`.
"""

from __future__ import annotations

from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from tilewright.ir.dialects.affine import DelinearizeIndexOp, LinearizeIndexOp
from tilewright.ir.indexing.semi_affine import binary
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.extents import Extent, OpList, evaluate
from tilewright.transforms.core.rewriter import Rewriter

_INDEX, _NEXT, _SIZE = (
    AffineExpr.dimension(0),
    AffineExpr.dimension(1),
    AffineExpr.symbol(0),
)
_REMAINDER = binary(AffineBinaryOpKind.Mod, _INDEX, _SIZE)
_QUOTIENT = binary(AffineBinaryOpKind.FloorDiv, _INDEX, _SIZE)
_SUM = binary(AffineBinaryOpKind.Mul, _INDEX, _SIZE) + _NEXT


@pattern(DelinearizeIndexOp)
def divide(op: DelinearizeIndexOp, rewriter: Rewriter) -> None:
    """Divide by the sizes, from the last to the second."""
    new, rest = OpList(), op.linear_index
    sizes = op.basis[len(op.basis) - len(op.multi_index) + 1 :]
    found: list[Extent] = []
    index: Extent = rest
    for size in reversed(sizes):
        found.append(evaluate(_REMAINDER, [index], new, [size]))
        index = evaluate(_QUOTIENT, [index], new, [size])
    values = [new.index(value) for value in (index, *reversed(found))]
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, values)


@pattern(LinearizeIndexOp)
def multiply(op: LinearizeIndexOp, rewriter: Rewriter) -> None:
    """Multiply by the sizes, and add."""
    new, indices = OpList(), op.multi_index
    total: Extent = indices[0] if indices else 0
    sizes = op.basis[len(op.basis) - len(indices) + 1 :] if indices else ()
    for size, index in zip(sizes, indices[1:], strict=True):
        total = evaluate(_SUM, [total, index], new, [size])
    value = new.index(total)
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, [value])


PATTERNS = (divide, multiply)
