"""The roles of structured ops: what an op does, whatever its name and types are."""

from __future__ import annotations

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation
from xdsl.utils.str_enum import StrEnum

from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.contractions import contraction_dims
from tilewright.ir.structured.convolutions import has_windows
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.reductions import reduction_of


class Role(StrEnum):
    """What a structured op does."""

    CONTRACTION = "contraction"
    CONVOLUTION = "convolution"
    REDUCTION = "reduction"
    ELEMENTWISE = "elementwise"
    FILL = "fill"


def role_of(op: Operation) -> Role | None:
    """The role of an op; None if it is not structured, or computes something else.

    A contraction is a sum of products of two inputs, a batch of them too. Any other op
    with reduction loops is a reduction, unless it slides a window.
    """
    if not isinstance(op, StructuredOp):
        return None
    if isinstance(op, FillOp):
        return Role.FILL
    nest = nest_of(op)
    if nest.reduced and has_windows(nest):
        return Role.CONVOLUTION
    if nest.reduced:
        return Role.CONTRACTION if _sums_products(op) else Role.REDUCTION
    return Role.ELEMENTWISE if is_elementwise(op) else None


def _sums_products(op: StructuredOp) -> bool:
    if contraction_dims(op) is None:
        return False
    reduction = reduction_of(op, 0)
    if reduction is None or reduction.factors is None:
        return False
    return reduction.kind == CombiningKindFlag.ADD
