"""Lower outer products: one multiplication of vectors for each row."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    CombiningKindAttr,
    FMAOp,
    OuterProductOp,
    TransposeOp,
)
from tilewright.ir.structured.combiners import combining_op
from tilewright.ir.types import (
    element_type,
    is_vector,
    lanes,
    vector_type,
    vector_with,
)
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps, root_of
from tilewright.transforms.core.rewriter import Rewriter


def multiply_add(
    steps: Steps,
    kind: CombiningKindFlag,
    lhs: SSAValue,
    rhs: SSAValue,
    total: SSAValue | None,
    mask: SSAValue | None = None,
) -> SSAValue | None:
    """One product combined with a total; None if the kind does not fit the type."""
    of = element_type(lhs.type)
    if combining_op(kind, of) is None:
        return None
    if not isinstance(of, AnyFloat):
        product = steps.binary(arith.MuliOp, lhs, rhs)
    elif total is not None and is_vector(total.type) and kind == CombiningKindFlag.ADD:
        new = steps.add(
            FMAOp.create(operands=[lhs, rhs, total], result_types=[total.type])
        )
        return new if mask is None else steps.select(mask, new, total)
    else:
        product = steps.binary(arith.MulfOp, lhs, rhs)
    if total is None:
        return product
    return steps.combine(kind, product, total, mask)


@pattern(OuterProductOp)
def lower_outer_product(op: OuterProductOp, rewriter: Rewriter) -> None:
    """Lower an outer product to one multiplication of vectors for each row."""
    root, mask = root_of(op)
    steps, kind = Steps(), op.kind.data
    if combining_op(kind, element_type(op.lhs.type)) is None:
        return
    if not is_vector(op.rhs.type):
        factor = steps.broadcast(op.rhs, vector_type(op.lhs).get_shape())
        result = multiply_add(steps, kind, op.lhs, factor, op.acc, mask)
        steps.replace(root, rewriter, result)
        return
    result = steps.constant(0, op.result.type)
    columns = vector_type(op.rhs).get_shape()
    for r in range(vector_type(op.result).get_shape()[0]):
        factor = steps.broadcast(steps.extract(op.lhs, r), columns)
        total = None if op.acc is None else steps.extract(op.acc, r)
        row_mask = None if mask is None else steps.extract(mask, r)
        row = multiply_add(steps, kind, factor, op.rhs, total, row_mask)
        assert row is not None
        result = steps.insert(row, result, r)
    steps.replace(root, rewriter, result)


@pattern(arith.MulfOp, arith.MuliOp)
def make_outer_product(op: arith.MulfOp | arith.MuliOp, rewriter: Rewriter) -> None:
    """Multiply rows repeated by columns repeated as an outer product."""
    for rows, columns in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        turned, spread = rows.owner, columns.owner
        if not isinstance(turned, TransposeOp) or turned.order != (1, 0):
            continue
        inner = turned.vector.owner
        if not isinstance(inner, BroadcastOp) or not isinstance(spread, BroadcastOp):
            continue
        factors = [inner.source, spread.source]
        if [len(lanes(factor.type) or ()) for factor in factors] != [1, 1]:
            continue
        product = OuterProductOp.build(
            operands=[*factors, []],
            result_types=[op.result.type],
            properties={"kind": CombiningKindAttr(CombiningKindFlag.ADD)},
        )
        if product.result.type == vector_with(
            element_type(op.result.type),
            [*(lanes(factors[0].type) or ()), *(lanes(factors[1].type) or ())],
        ):
            rewriter.replace_with(op, product)
        return


OUTER_PRODUCTS = (lower_outer_product,)
FROM_ARITHMETIC = (make_outer_product,)
