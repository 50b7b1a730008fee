"""Scatters: structured ops that add or store values at the places that they name.

The op has a parallel loop for the elements of a flat result, and reduction loops for
the updates. An element adds the values whose place is its own:

    %added = arith.select (place == linalg.index 0), %value, 0
    %sum = %acc + %added

or takes the last of them, where it stores:

    %stored = arith.select (place == linalg.index 0), %value, %acc

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
from tilewright.ir.structured.bodies import yielded
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.reductions import reduction_of

ADDED = ("f32", "f64", "i32", "i64")
"""The types of the elements: atomics add them as exactly as other additions."""
ATOMICS = "atomics"
STORES = "stores"
"""The values of `triton.library` on a scatter: the kernel before it adds its values,
or stores them."""
BY_KERNEL_BEFORE = (ATOMICS, STORES)
ADDS = "tilewright.adds"
"""On a `vector.scatter` that adds to the elements that it names."""
ANY_ORDER = "tilewright.any_order"
"""On a `vector.scatter` whose lanes store in any order: one of them wins a place."""
_EQUAL = 0
"""The predicate `eq` of `arith.cmpi`."""


@dataclass(frozen=True)
class Scatter:
    """What a scatter reads; it adds to its one output, or stores there."""

    places: SSAValue
    values: SSAValue
    adds: bool

    @property
    def library(self) -> str:
        """What `triton.library` calls this way to write."""
        return ATOMICS if self.adds else STORES


def scatter_of(op: StructuredOp) -> Scatter | None:
    """The scatter that an op is; None if it is none.

    A result of one element has no places to tell apart: that is a sum.
    """
    if not isinstance(op, GenericOp) or len(op.inputs) != 2 or len(op.outputs) != 1:
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
    added = _added(op)
    chosen = yielded(op)[0] if added is None else added
    if not isinstance(chosen.owner, SelectOp):
        return None
    condition, new, otherwise = chosen.owner.operands
    if not (
        _is_zero(otherwise)
        if added is not None
        else otherwise is op.body.block.args[-1]
    ):
        return None
    compared = condition.owner
    if (
        not isinstance(compared, arith.CmpiOp)
        or compared.predicate.value.data != _EQUAL
    ):
        return None
    place, own = compared.operands
    at, value = (_argument(one, op.body.block) for one in (place, new))
    if at is None or value is None or {at, value} != {0, 1} or not _is_own(own):
        return None
    return Scatter(op.inputs[at], op.inputs[value], adds=added is not None)


def _added(op: GenericOp) -> SSAValue | None:
    """What an op adds to its output; None if it does something else."""
    if element(op.outputs[0].type).name not in ADDED:
        return None
    reduction = reduction_of(op, 0)
    is_sum = reduction is not None and reduction.kind == CombiningKindFlag.ADD
    return reduction.operand if reduction is not None and is_sum else None


def has_own_updates(op: StructuredOp) -> bool:
    """Whether one op or grid computes what a scatter alone reads: places and values.

    Its kernel can write the values to their places, and store neither by itself.
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
