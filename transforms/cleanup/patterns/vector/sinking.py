"""Compute before broadcasts and transpositions: `vector.sink_ops`.

Fewer lanes are computed, and broadcasts come next to ops that can absorb them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith import Arith
from tilewright.ir.dialects.math import Math
from tilewright.ir.dialects.vector import BroadcastOp, ExtractOp, TransposeOp
from tilewright.ir.types import element_type, lanes, vector_type
from tilewright.transforms.cleanup.constants import attribute_of, filled, uniform
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.core.rewriter import Rewriter

LANE_BY_LANE = tuple(
    op.name
    for op in (*Arith.operations, *Math.operations)
    if issubclass(op, IRDLOperation) and op is not arith.ConstantOp
)


def _with_shape(of: Attribute, shape: Sequence[int] | None) -> Attribute:
    """A type of the same elements, in another shape; None is a scalar."""
    element = element_type(of)
    return element if shape is None else VectorType(element, shape)


def _rebuilt(
    op: Operation, operands: Sequence[SSAValue], shape: Sequence[int] | None
) -> Operation:
    """The op on operands of another shape."""
    return type(op).create(
        operands=operands,
        result_types=[_with_shape(op.results[0].type, shape)],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
    )


def _is_lane_by_lane(op: Operation) -> bool:
    return len(op.results) == 1 and bool(lanes(op.results[0].type))


def _constant_like(
    value: SSAValue, shape: Sequence[int] | None
) -> arith.ConstantOp | None:
    """A splat constant in another shape."""
    number = uniform(value) if attribute_of(value) is not None else None
    if number is None:
        return None
    return arith.ConstantOp(filled(number, _with_shape(value.type, shape)))


@pattern_on(*LANE_BY_LANE)
def compute_before_broadcast(op: Operation, rewriter: Rewriter) -> None:
    """Compute once and broadcast the result."""
    if not _is_lane_by_lane(op):
        return
    spread = [v.owner for v in op.operands if isinstance(v.owner, BroadcastOp)]
    if not spread or len({lanes(b.source.type) for b in spread}) != 1:
        return
    shape = lanes(spread[0].source.type)
    new: list[Operation] = []
    operands: list[SSAValue] = []
    for value in op.operands:
        if isinstance(value.owner, BroadcastOp):
            operands.append(value.owner.source)
            continue
        constant = _constant_like(value, shape)
        if constant is None:
            return
        new.append(constant)
        operands.append(constant.result)
    small = _rebuilt(op, operands, shape)
    result = BroadcastOp(small.results[0], vector_type(op.results[0]))
    rewriter.replace_with(op, *new, small, result)


@pattern_on(*LANE_BY_LANE)
def compute_before_transpose(op: Operation, rewriter: Rewriter) -> None:
    """Transpose the result instead of all operands."""
    if not _is_lane_by_lane(op):
        return
    turned = [v.owner for v in op.operands if isinstance(v.owner, TransposeOp)]
    if not turned or len({t.order for t in turned}) != 1:
        return
    shape = lanes(turned[0].vector.type)
    new: list[Operation] = []
    operands: list[SSAValue] = []
    for value in op.operands:
        if isinstance(value.owner, TransposeOp):
            operands.append(value.owner.vector)
            continue
        constant = _constant_like(value, shape)
        if constant is None:
            return
        new.append(constant)
        operands.append(constant.result)
    straight = _rebuilt(op, operands, shape)
    result = TransposeOp(straight.results[0], turned[0].order)
    rewriter.replace_with(op, *new, straight, result)


@pattern(ExtractOp)
def extract_before_computing(op: ExtractOp, rewriter: Rewriter) -> None:
    """Compute only the extracted part."""
    made = op.vector.owner
    if not isinstance(made, Operation) or made.name not in LANE_BY_LANE:
        return
    if not made.operands or op.vector.uses.get_length() != 1:
        return
    position = [int(index) for index in op.static_position.get_values()]
    if DYNAMIC_INDEX in position:
        return
    shape = lanes(op.vector.type)
    if any(lanes(value.type) != shape for value in made.operands):
        return
    parts = [ExtractOp(value, position) for value in made.operands]
    small = _rebuilt(made, [part.result for part in parts], lanes(op.result.type))
    rewriter.replace_with(op, *parts, small)


PATTERNS = (
    compute_before_broadcast,
    compute_before_transpose,
    extract_before_computing,
)
