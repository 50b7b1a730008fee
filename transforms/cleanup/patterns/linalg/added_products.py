"""Add to a contraction in its destination: `linalg.fold_add_into_dest`."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects.linalg import CopyOp, FillOp, StructuredOp
from tilewright.ir.structured.contractions import contraction_dims, is_contraction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import is_tensor
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import dominates

_PRODUCTS = (
    ("arith.mulf", "arith.addf"),
    ("arith.muli", "arith.addi"),
    ("arith.andi", "arith.ori"),
)


@pattern_on("linalg.add")
def add_into_contraction(op: Operation, rewriter: Rewriter) -> None:
    """Start a contraction from the other summand instead of from zero."""
    left, right = op.operands[:2]
    chosen: tuple[SSAValue, StructuredOp] | None = None
    # As upstream, the left one is taken if both may be.
    for summand, other in ((right, left), (left, right)):
        product = summand.owner
        if isinstance(product, StructuredOp) and dominates(other, product):
            chosen = other, product
    if chosen is None:
        return
    other, product = chosen
    if not _starts_from_zero(product) or not product.results[0].has_one_use():
        return
    if other.type != product.outputs[0].type or not _is_in_order(product):
        return
    rewriter.set_operand(product, len(product.inputs), other)
    rewriter.replace(op, [product.results[0]])


def _starts_from_zero(op: StructuredOp) -> bool:
    """Whether an op is a contraction of tensors onto zeros."""
    is_product = contraction_dims(op) is not None and any(
        is_contraction(op, multiply, add) for multiply, add in _PRODUCTS
    )
    return is_product and is_tensor(op.outputs[0].type) and _is_zero(op.outputs[0])


def _is_zero(value: SSAValue) -> bool:
    source = value.owner
    if isinstance(source, FillOp | CopyOp):
        return _is_zero(source.inputs[0])
    return uniform(value) == 0


def _is_in_order(op: StructuredOp) -> bool:
    """Whether the output's dimensions are loops in rising order."""
    loops = named_loops(op.maps[-1])
    return list(loops) == sorted(loops)


PATTERNS = (add_into_contraction,)
