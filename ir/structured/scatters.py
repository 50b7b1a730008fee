"""Scatters that add: structured ops that sum values at the places that they name.

The op has a parallel loop for the elements of a flat result, and reduction loops for
the updates. An element adds the values whose place is its own:

    %added = arith.select (place == linalg.index 0), %value, 0
    %sum = %acc + %added

`frontend/builder/ops/scatters.py` writes such ops.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.linalg import GenericOp, IndexOp, StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.reductions import reduction_of

ADDED = ("f32", "f64", "i32", "i64")
"""The types of the elements: atomics add them as exactly as other additions."""
ATOMICS = "atomics"
"""The value of `triton.library` on a scatter: the kernel before it adds its values."""
ADDS = "tilewright.adds"
"""On a `vector.scatter` that adds to the elements that it names."""
_EQUAL = 0
"""The predicate `eq` of `arith.cmpi`."""


@dataclass(frozen=True)
class Scatter:
    """What a scatter reads; it adds to its one output."""

    places: SSAValue
    values: SSAValue


def scatter_of(op: StructuredOp) -> Scatter | None:
    """The scatter that an op is; None if it is none.

    A result of one element has no places to tell apart: that is a sum.
    """
    if not isinstance(op, GenericOp) or len(op.inputs) != 2 or len(op.outputs) != 1:
        return None
    if element(op.outputs[0].type).name not in ADDED:
        return None
    if op.get_static_loop_ranges()[:1] in ((), (1,)):
        return None
    nest = nest_of(op)
    *read, written = nest.maps
    own_loop = AffineDimExpr(0)
    updates = tuple(AffineDimExpr(loop) for loop in range(1, op.get_num_loops()))
    if written.results != (own_loop,) or nest.reduced != tuple(
        range(1, len(updates) + 1)
    ):
        return None
    if not updates or any(map_.results != updates for map_ in read):
        return None
    reduction = reduction_of(op, 0)
    if reduction is None or reduction.kind != CombiningKindFlag.ADD:
        return None
    chosen = reduction.operand.owner
    if not isinstance(chosen, SelectOp) or not _is_zero(chosen.operands[2]):
        return None
    compared = chosen.operands[0].owner
    if (
        not isinstance(compared, arith.CmpiOp)
        or compared.predicate.value.data != _EQUAL
    ):
        return None
    place, own = compared.operands
    at, value = (_argument(one, op.body.block) for one in (place, chosen.operands[1]))
    if at is None or value is None or {at, value} != {0, 1} or not _is_own(own):
        return None
    return Scatter(op.inputs[at], op.inputs[value])


def has_own_updates(op: StructuredOp) -> bool:
    """Whether one op or grid computes what a scatter alone reads: places and values.

    Its kernel can add the values, and store neither.
    """
    scatter = scatter_of(op)
    if scatter is None:
        return False
    makers = [_maker(value) for value in (scatter.places, scatter.values)]
    return makers[0] is not None and makers[0] is makers[1]


def _maker(value: SSAValue) -> Operation | None:
    """What computes a tensor that has one reader, perhaps under another shape."""
    if not value.has_one_use() or not isinstance(value.owner, Operation):
        return None
    if isinstance(value.owner, tensor.ExpandShapeOp | tensor.CollapseShapeOp):
        return _maker(value.owner.operands[0])
    return value.owner


def _argument(value: SSAValue, body: Block) -> int | None:
    """The number of the argument of a body that a value is."""
    return next((at for at, one in enumerate(body.args) if one is value), None)


def _is_own(value: SSAValue) -> bool:
    """Whether a value is the index of the result's element."""
    cast = value.owner
    index = cast.operands[0].owner if isinstance(cast, arith.IndexCastOp) else None
    return isinstance(index, IndexOp) and index.dim.value.data == 0


def _is_zero(value: SSAValue) -> bool:
    constant = value.owner
    return isinstance(constant, arith.ConstantOp) and (
        getattr(getattr(constant.value, "value", None), "data", None) == 0
    )
