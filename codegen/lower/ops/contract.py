"""`vector.contract` becomes a dot, or a product that is summed.

A product of two matrices becomes a dot, for the tensor cores: loops of size one are
dropped, batches are a third dimension, and several row, column or reduction dimensions
are flattened into one. Other contractions (a matrix times a vector, a sum of squares,
tiles too small for a dot) are multiplied element by element and reduced.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    i1,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.combiners import combine
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import (
    CastOp,
    DotOp,
    ExpandDimsOp,
    ReduceOp,
    ReshapeOp,
    TransOp,
    element_of,
    shape_of,
    tile_of,
)
from tilewright.ir.dialects.vector import ContractOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.element_types import ELEMENT_TYPES
from tilewright.ir.structured.combiners import is_neutral
from tilewright.ir.structured.contractions import VectorContraction, vector_contraction

_MIN_EXTENT = 16
"""The least extent that tensor cores multiply; Triton refuses less along k."""

_MOST_PRODUCTS = 2**14
"""The most elements of a product that is summed in registers."""

_NARROW = tuple(row.attribute for row in ELEMENT_TYPES if row.is_narrow_float)


def lower_contract(
    op: ContractOp, builder: Builder, values: TileValues, precision: str
) -> None:
    """Lower a contraction to a dot where it is one, else to a product and a sum.

    `precision` is that of a dot of f32 operands.
    """
    if any(element_of(operand.type) == i1 for operand in op.operands):
        refuse(op, "arithmetic on i1", "convert to numbers first")
    loops = vector_contraction(op)
    lhs, rhs = _without_extension(op)
    if _is_dot(op, loops, lhs, rhs):
        result = _dot(op, loops, (lhs, rhs), builder, values, precision)
    else:
        result = _product(op, loops, (lhs, rhs), builder, values)
    values[op.result] = result


def dot_order(op: ContractOp, operand: SSAValue) -> list[int] | None:
    """The order in which a dot needs an operand's dimensions, if it is another."""
    loops = vector_contraction(op)
    lhs, rhs = _without_extension(op)
    if op.lhs is op.rhs or not _is_dot(op, loops, lhs, rhs):
        return None
    is_lhs = operand is op.lhs
    has, outer = (loops.lhs, loops.rows) if is_lhs else (loops.rhs, loops.columns)
    is_left = is_lhs != _is_swapped(loops)
    inner = loops.summed
    wants = [*loops.batch, *((*outer, *inner) if is_left else (*inner, *outer))]
    order = [has.index(loop) for loop in wants]
    return None if order == sorted(order) else order


def _without_extension(op: ContractOp) -> tuple[SSAValue, SSAValue]:
    """The operands before they were widened: tensor cores widen the products."""
    lhs, rhs = op.lhs.owner, op.rhs.owner
    acc = element_of(op.acc.type)
    for kind, wide in (
        (arith.ExtFOp, Float32Type()),
        (arith.ExtSIOp, IntegerType(32)),
    ):
        if (
            isinstance(lhs, kind)
            and isinstance(rhs, kind)
            and element_of(lhs.input.type) == element_of(rhs.input.type)
            and acc == wide
            and element_of(lhs.input.type) in _operands_of(acc)
        ):
            return lhs.input, rhs.input
    return op.lhs, op.rhs


def _operands_of(acc: Attribute) -> tuple[Attribute, ...]:
    """The operand types of tensor cores for an accumulator of this type."""
    if isinstance(acc, Float32Type):
        return (*_NARROW, Float32Type())
    if isinstance(acc, Float64Type):
        return (Float64Type(),)
    if isinstance(acc, Float16Type | BFloat16Type):
        return (acc,)
    return (IntegerType(8),) if acc == IntegerType(32) else ()


def _is_dot(
    op: ContractOp, loops: VectorContraction, lhs: SSAValue, rhs: SSAValue
) -> bool:
    """Whether tensor cores can compute it; refused where they must and cannot."""
    if op.kind.data != CombiningKindFlag.ADD or not loops.is_product:
        return False
    left, right = element_of(lhs.type), element_of(rhs.type)
    acc = element_of(op.acc.type)
    m, n, k = map(loops.count, (loops.rows, loops.columns, loops.summed))
    least_k = max(_MIN_EXTENT, 32 // byte_width(left))
    is_legal = left == right and left in _operands_of(acc)
    is_large = m >= _MIN_EXTENT and n >= _MIN_EXTENT and k >= least_k
    if is_legal and is_large:
        return True
    if loops.count(tuple(loops.sizes)) <= _MOST_PRODUCTS:
        return False
    if is_legal:
        refuse(
            op,
            f"a dot of {m}x{n}x{k}; Triton needs at least "
            f"{_MIN_EXTENT}x{_MIN_EXTENT}x{least_k}",
            "tile larger, or vectorize to larger sizes with masks",
        )
    refuse(
        op,
        f"a dot of {left} and {right} into {acc}",
        "convert the operands to one type; accumulate f16, bf16, f8 and f32 in f32, "
        "i8 in i32",
    )


def _is_swapped(loops: VectorContraction) -> bool:
    """Whether the accumulator is transposed, so that the operands swap."""
    rest = [loop for loop in loops.acc if loop not in loops.batch]
    return rest == [*loops.columns, *loops.rows]


def _dot(
    op: ContractOp,
    loops: VectorContraction,
    operands: tuple[SSAValue, SSAValue],
    builder: Builder,
    values: TileValues,
    precision: str,
) -> SSAValue:
    lhs, rhs = operands
    first, second = (lhs, loops.lhs), (rhs, loops.rhs)
    rows, columns = loops.rows, loops.columns
    if _is_swapped(loops):
        # n x k times k x m.
        first, second, rows, columns = second, first, columns, rows
    shape = _Shape(loops, builder, values)
    left = shape.flattened(*first, (rows, loops.summed))
    right = shape.flattened(*second, (loops.summed, columns))
    of = element_of(op.acc.type)
    is_narrow = isinstance(of, Float16Type | BFloat16Type)
    summed = Float32Type() if is_narrow else of
    acc: SSAValue | None = None
    if not is_neutral(constant_of(op.acc), op.kind.data):
        acc = shape.flattened(op.acc, loops.acc, (rows, columns))
        acc = builder.add(CastOp(acc, summed)) if is_narrow else acc
    is_f32 = isinstance(element_of(left.type), Float32Type)
    tile = tile_of(summed, shape.flat((rows, columns)))
    dot = DotOp(left, right, acc, tile, precision if is_f32 else None)
    name = reader_name(op.result.name_hint) if acc is None else None
    result = builder.add(dot, like=op, hint=name or "acc")
    if is_narrow:
        result = builder.add(CastOp(result, of), like=op, hint=name or "acc")
    return shape.unflattened(result, (rows, columns))


class _Shape:
    """Brings tiles into the shape of a dot's operands: batch, then two dimensions."""

    def __init__(self, loops: VectorContraction, builder: Builder, values: TileValues):
        self.loops = loops
        self.builder = builder
        self.values = values

    def flattened(
        self,
        value: SSAValue,
        has: tuple[int, ...],
        wants: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> SSAValue:
        """A payload tile with the loops `has`, permuted and flattened to `wants`."""
        tile = self.values[value]
        name = tile.name_hint
        order = [has.index(loop) for loop in self._order(wants)]
        held = self.values.orders.get(value, sorted(order))
        if order != held:
            tile = self.builder.add(
                TransOp(tile, [held.index(dim) for dim in order]), hint=name
            )
        return self._reshaped(tile, self.flat(wants))

    def unflattened(
        self, tile: SSAValue, had: tuple[tuple[int, ...], tuple[int, ...]]
    ) -> SSAValue:
        """The accumulator's tile, in the order and rank of the payload."""
        order = self._order(had)
        name = tile.name_hint
        tile = self._reshaped(tile, [self.loops.sizes[loop] for loop in order])
        back = [order.index(loop) for loop in self.loops.acc]
        if back != sorted(back):
            tile = self.builder.add(TransOp(tile, back), hint=name)
        return tile

    def _order(self, wants: tuple[tuple[int, ...], tuple[int, ...]]) -> list[int]:
        return [*self.loops.batch, *wants[0], *wants[1]]

    def flat(self, wants: tuple[tuple[int, ...], tuple[int, ...]]) -> list[int]:
        """The shape of a tile whose two groups of loops are flattened."""
        batch = [self.loops.count(self.loops.batch)] if self.loops.batch else []
        return [*batch, *(self.loops.count(group) for group in wants)]

    def _reshaped(self, tile: SSAValue, shape: Sequence[int]) -> SSAValue:
        if shape_of(tile.type) == tuple(shape):
            return tile
        of = tile_of(element_of(tile.type), shape)
        name = tile.name_hint
        return self.builder.add(ReshapeOp(tile, of, [""] * len(shape)), hint=name)


def _product(
    op: ContractOp,
    loops: VectorContraction,
    operands: tuple[SSAValue, SSAValue],
    builder: Builder,
    values: TileValues,
) -> SSAValue:
    """Multiply along all loops, reduction loops last, and reduce those."""
    of = element_of(op.acc.type)
    order = [*loops.acc, *loops.summed]
    shape = tuple(loops.sizes[loop] for loop in order)
    left, right = (
        builder.stretch(_spread(op, values[value], has, order, builder), shape)
        for value, has in zip(operands, (loops.lhs, loops.rhs), strict=True)
    )
    sides = (loops.count(loops.lhs), loops.count(loops.rhs))
    if loops.count(tuple(order)) > max(_MOST_PRODUCTS, *sides):
        refuse(
            op,
            "a product of tiles that is too large to be summed in registers",
            "tile smaller, or such that it is a product of two matrices",
        )
    is_float = isinstance(of, AnyFloat)
    product = arith.MulfOp(left, right) if is_float else arith.MuliOp(left, right)
    total = builder.add(product, like=op)
    for axis in reversed(range(len(loops.acc), len(order))):
        name = reader_name(op.result.name_hint) or "total"
        total = builder.add(ReduceOp(total, op.kind, axis), like=op, hint=name)
    if is_neutral(constant_of(op.acc), op.kind.data):
        return total
    combined = combine(op, op.kind.data, values[op.acc], total)
    return builder.add(combined, like=op, hint="acc")


def _spread(
    op: ContractOp,
    tile: SSAValue,
    has: tuple[int, ...],
    order: list[int],
    builder: Builder,
) -> SSAValue:
    """An operand in the accumulator's type, with a dimension for each loop."""
    of = element_of(op.acc.type)
    if element_of(tile.type) != of:
        tile = builder.cast(tile, of, op)
    own = [loop for loop in order if loop in has]
    if own != list(has):
        tile = builder.add(TransOp(tile, [has.index(loop) for loop in own]))
    if own:
        for axis, loop in enumerate(order):
            if loop not in own:
                tile = builder.add(ExpandDimsOp(tile, axis))
    return tile
