"""vector.create_mask, constant_mask, and `vector.mask`: only active lanes count.

A masked-off lane is not transferred, and adds nothing to a contraction or reduction. So
poison in it stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.dialects.vector import (
    ConstantMaskOp,
    ContractOp,
    CreateMaskOp,
    GatherOp,
    MaskOp,
    MultiReductionOp,
    OuterProductOp,
    ReductionOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.elementwise import choose
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value, fail
from tilewright.ir.interpreter.dialects.tensor.tensor_table import shape_of
from tilewright.ir.interpreter.dialects.vector.memory import gather_lanes
from tilewright.ir.interpreter.dialects.vector.reductions import (
    masked_contract,
    masked_multi_reduction,
    masked_reduction,
    outer_product,
)
from tilewright.ir.interpreter.dialects.vector.transfers import (
    in_vector_order,
    read,
    write,
)


def create_mask(interpreter: Interpreter, op: CreateMaskOp, *sizes: Value) -> Results:
    """A box at the origin; sizes are clamped to the vector's."""
    return (_box(shape_of(op.mask_vector.type), sizes),)


def constant_mask(interpreter: Interpreter, op: ConstantMaskOp) -> Results:
    """A box at the origin, of a size that the op holds itself."""
    return (_box(shape_of(op.result.type), op.sizes),)


def _box(shape: tuple[int, ...], sizes: Sequence[Value]) -> Array:
    if not shape:
        return np.array(sizes[0] > 0)
    lanes = np.zeros(shape, np.bool_)
    lanes[tuple(slice(0, max(0, int(size))) for size in sizes)] = True
    return lanes


def mask(
    interpreter: Interpreter,
    op: MaskOp,
    lanes: Array,
    passthru: Value | None = None,
) -> Results:
    """Run one op on the active lanes."""
    masked = op.masked_op
    if masked is None:
        yielded = op.body.block.last_op
        assert yielded is not None
        return tuple(interpreter.value(value) for value in yielded.operands)
    function = _MASKED.get(type(masked))
    if function is None:
        fail(masked, "this op cannot be interpreted under vector.mask")
    operands = [interpreter.value(operand) for operand in masked.operands]
    if interpreter.guard is not None:
        interpreter.guard(masked, masked.operands, operands)
    results = function(interpreter, masked, lanes, *operands)
    if passthru is None:
        return results
    assert isinstance(masked, TransferReadOp)
    (result,) = results
    return (choose(in_vector_order(masked, lanes), result, passthru),)


def _read(
    interpreter: Interpreter,
    op: TransferReadOp,
    lanes: Array,
    source: Array,
    *operands: Value,
) -> Results:
    rank = len(op.indices)
    on = lanes & operands[rank + 1] if op.mask is not None else lanes
    return (read(op, source, operands[:rank], operands[rank], on),)


def _write(
    interpreter: Interpreter,
    op: TransferWriteOp,
    lanes: Array,
    value: Value,
    source: Array,
    *operands: Value,
) -> Results:
    rank = len(op.indices)
    on = lanes & operands[rank] if op.mask is not None else lanes
    return write(op, value, source, operands[:rank], on)


def _gather(
    interpreter: Interpreter,
    op: GatherOp,
    lanes: Array,
    source: Array,
    *operands: Value,
) -> Results:
    return gather_lanes(op, source, operands, lanes)


def _contract(
    interpreter: Interpreter, op: ContractOp, lanes: Array, *operands: Value
) -> Results:
    return masked_contract(op, lanes, *operands)


def _outer_product(
    interpreter: Interpreter, op: OuterProductOp, lanes: Array, *operands: Value
) -> Results:
    """A masked-off lane keeps its accumulator; without one it is zero."""
    (result,) = outer_product(interpreter, op, *operands)
    kept = operands[2] if op.acc is not None else result.dtype.type(0)
    return (choose(lanes, result, kept),)


def _multi_reduction(
    interpreter: Interpreter, op: MultiReductionOp, lanes: Array, *operands: Value
) -> Results:
    return masked_multi_reduction(op, lanes, *operands)


def _reduction(
    interpreter: Interpreter, op: ReductionOp, lanes: Array, *operands: Value
) -> Results:
    return masked_reduction(op, lanes, *operands)


_MASKED: dict[type[Operation], Callable[..., Results]] = {
    TransferReadOp: _read,
    TransferWriteOp: _write,
    GatherOp: _gather,
    ContractOp: _contract,
    OuterProductOp: _outer_product,
    MultiReductionOp: _multi_reduction,
    ReductionOp: _reduction,
}
