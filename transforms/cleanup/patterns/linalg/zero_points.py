"""Products of numbers with zero points, as a product of the numbers and two sums.

`tilewright.zero_points`. A quantized matmul or convolution takes the zero point off
each number in the innermost loop, where tensor cores cannot:

    %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : ...) outs(%o : tensor<8x4xi32>)

The sum of `(a - za) * (b - zb)` over k numbers is

    sum(a * b) - zb * sum(a) - za * sum(b) + k * za * zb

which is equal in every bit, since integers wrap around. So the op becomes a product of
the numbers as they are, a sum for each row, a sum for each column, and an element-wise
op. A zero point that is known to be 0 needs no sum. Sizes must be known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, IntegerType, TensorType
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    StructuredOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.semi_affine import substitute
from tilewright.ir.structured.bodies import operand_behind
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.reductions import reduction_of
from tilewright.ir.types import element_type, is_tensor, tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter


@pattern(StructuredOp)
def distribute_zero_points(op: StructuredOp, rewriter: Rewriter) -> None:
    """Multiply the numbers as they are, and correct the result."""
    if not has_zero_points(op):
        return
    new: list[Operation] = [_product(op)]
    # The sum of one side is multiplied by the zero point of the other.
    sums: dict[int, SSAValue] = {}
    for side in range(2):
        if constant_int(_point(op, 1 - side)) != 0:
            new += _sum(op, side)
            sums[side] = new[-1].results[0]
    if sums:
        new += _corrected(op, new[0].results[0], sums)
    rewriter.replace_with(op, *new)


def has_zero_points(op: Operation) -> bool:
    """Whether an op adds up products of differences from two numbers of its own."""
    if not isinstance(op, StructuredOp) or len(op.results) != 1:
        return False
    if [is_tensor(value.type) for value in op.inputs] != [True, True, False, False]:
        return False
    reduction = reduction_of(op, 0)
    if reduction is None or reduction.kind != CombiningKindFlag.ADD:
        return False
    multiply = reduction.operand.owner
    return (
        isinstance(multiply, arith.MuliOp)
        and {_difference(op, factor) for factor in multiply.operands} == {0, 1}
        and DYNAMIC_INDEX not in op.get_static_loop_ranges()
        and _is_contraction(op)
    )


def _difference(op: StructuredOp, value: SSAValue) -> int | None:
    """Which of both tensors a value is an element of, less its zero point."""
    taken = value.owner
    if not isinstance(taken, arith.SubiOp):
        return None
    number, point = (
        operand_behind(op, each, (arith.ExtSIOp,)) for each in taken.operands
    )
    return number if number in (0, 1) and point == number + 2 else None


def _is_contraction(op: StructuredOp) -> bool:
    """Whether both sides are read along all reduced loops, and each has its own."""
    reduced = {loop for loop in range(op.get_num_loops()) if is_reduction(op, loop)}
    used = [set(op.maps[side].used_dims()) for side in range(2)]
    return (
        all(reduced <= each for each in used)
        and bool(used[0] - used[1])
        and bool(used[1] - used[0])
        and _is_plain(op.maps[-1])
    )


def _is_plain(read: AffineMap) -> bool:
    return all(isinstance(expr, AffineDimExpr) for expr in read.results)


def _point(op: StructuredOp, side: int) -> SSAValue:
    return op.inputs[2 + side]


def _kind(op: StructuredOp) -> IntegerType:
    kind = tensor_type(op.results[0]).element_type
    assert isa(kind, IntegerType)
    return kind


def _product(op: StructuredOp) -> GenericOp:
    """The sum of products of the numbers as they are."""
    kind = _kind(op)

    def write(body: Body) -> SSAValue:
        left, right = (body.convert(value, kind) for value in body.args[:2])
        return body.add("arith.addi", body.args[2], body.add("arith.muli", left, right))

    reduced = [loop for loop in range(op.get_num_loops()) if is_reduction(op, loop)]
    maps = [*op.maps[:2], op.maps[-1]]
    return _generic(op, op.inputs[:2], op.outputs[0], maps, reduced, write)


def _sum(op: StructuredOp, side: int) -> list[Operation]:
    """The sums of a tensor along the reduced loops, for each of its others."""
    kind, read, extents = _kind(op), op.maps[side], op.get_static_loop_ranges()
    kept = _kept(op, side)
    added = [loop for loop in sorted(read.used_dims()) if is_reduction(op, loop)]
    loops = len(kept) + len(added)
    place = {loop: at for at, loop in enumerate([*kept, *added])}
    dims = [AffineExpr.dimension(place.get(x, 0)) for x in range(op.get_num_loops())]
    along = AffineMap(loops, 0, tuple(substitute(e, dims) for e in read.results))
    empty = tensor.EmptyOp([], TensorType(kind, [extents[loop] for loop in kept]))
    zero = arith.ConstantOp(IntegerAttr(0, kind))
    start = FillOp([zero.result], [empty.results[0]])
    # As in a pooling, a tensor without contents says how far the loops of windows go.
    window = tensor.EmptyOp([], TensorType(kind, [extents[loop] for loop in added]))
    inputs, maps = [op.inputs[side]], [along]
    if not _is_plain(read):
        inputs.append(window.results[0])
        maps.append(_dims(loops, range(len(kept), loops)))

    def write(body: Body) -> SSAValue:
        number = body.convert(body.args[0], kind)
        return body.add("arith.addi", body.args[-1], number)

    maps.append(_dims(loops, range(len(kept))))
    reduced = range(len(kept), loops)
    made = _generic(op, inputs, start.results[0], maps, reduced, write)
    return [empty, zero, start, *([window] if len(inputs) > 1 else []), made]


def _corrected(
    op: StructuredOp, product: SSAValue, sums: dict[int, SSAValue]
) -> list[Operation]:
    """The product less what the zero points added to it."""
    kind, extents = _kind(op), op.get_static_loop_ranges()
    summed = math.prod(
        extent for loop, extent in enumerate(extents) if is_reduction(op, loop)
    )
    number = arith.ConstantOp(IntegerAttr(summed, kind, truncate_bits=True))

    def write(body: Body) -> SSAValue:
        total, *of_sides = body.args[: 1 + len(sums)]
        points = [body.convert(value, kind) for value in body.args[-3:-1]]
        for side, value in zip(sums, of_sides, strict=True):
            added = body.add("arith.muli", value, points[1 - side])
            total = body.add("arith.subi", total, added)
        if len(sums) < len(points):
            return total
        both = body.add("arith.muli", *points)
        both = body.add("arith.muli", both, number.result)
        return body.add("arith.addi", total, both)

    loops = [e.position for e in op.maps[-1].results if isinstance(e, AffineDimExpr)]
    rank = len(loops)
    reads = [_dims(rank, map(loops.index, _kept(op, side))) for side in sums]
    whole, scalar = AffineMap.identity(rank), AffineMap(rank, 0, ())
    empty = tensor.EmptyOp([], op.results[0].type)
    inputs = [product, *sums.values(), *op.inputs[2:]]
    maps = [whole, *reads, scalar, scalar, whole]
    made = _generic(op, inputs, empty.results[0], maps, (), write)
    return [number, empty, made]


def _kept(op: StructuredOp, side: int) -> list[int]:
    """The loops of a side that its sums keep."""
    used = op.maps[side].used_dims()
    return [loop for loop in sorted(used) if not is_reduction(op, loop)]


def _dims(loops: int, positions: Iterable[int]) -> AffineMap:
    return AffineMap(loops, 0, tuple(map(AffineExpr.dimension, positions)))


def _generic(
    op: StructuredOp,
    inputs: Sequence[SSAValue],
    output: SSAValue,
    maps: Sequence[AffineMap],
    reduced: Iterable[int],
    write: Callable[[Body], SSAValue],
) -> GenericOp:
    """An op in place of the old one, or of a part of it."""
    body = Body([element_type(value.type) for value in (*inputs, output)])
    body.append(YieldOp(write(body)))
    made = GenericOp(
        inputs,
        [output],
        body.region(),
        maps_attribute(maps),
        iterators(maps[0].num_dims, tuple(reduced)),
        [output.type],
    )
    made.location = op.location
    made.results[0].name_hint = op.results[0].name_hint
    return made


PATTERNS = (distribute_zero_points,)
