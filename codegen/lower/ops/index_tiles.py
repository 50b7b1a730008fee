"""Tiles of indices (`linalg.index` after vectorizing): the index of each lane.

Most of them are offsets that addresses use too: a scalar plus the lane's number along
one dimension. They are kept in that form until an op needs the tile, so that a causal
mask compares `offs_n[None, :] <= offs_m[:, None]`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.atoms import MAX_I32, Linear
from tilewright.codegen.analysis.elements.constants import constant_of_op
from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.tiles import kept_dims, tile_shape
from tilewright.codegen.kernel.accesses import AccessBuilder
from tilewright.codegen.kernel.builder import Builder
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import element_of, shape_of
from tilewright.ir.dialects.vector import ShapeCastOp, StepOp, TransposeOp

Range = tuple[int, int]
"""The least and the greatest number."""


@dataclass(frozen=True)
class Places:
    """A scalar plus the lane's number along a dimension of the payload's vector."""

    start: Linear
    dim: int | None


def is_index_tile(value: SSAValue) -> bool:
    """Whether a payload value is a vector of indices."""
    return isinstance(value.type, VectorType) and isinstance(
        element_of(value.type), IndexType
    )


class IndexTiles:
    """The tiles of indices of a kernel, computed when an op first needs them."""

    def __init__(self, indices: Indices, builder: Builder, addresses: AccessBuilder):
        self._indices = indices
        self._builder = builder
        self._addresses = addresses
        self._known: dict[SSAValue, Places] = {}
        self._ranges: dict[SSAValue, Range | None] = {}

    def keep(self, op: Operation) -> bool:
        """Keep an op's result as places; return whether it has that form."""
        places = self._places(op)
        if places is None:
            return False
        self._known[op.results[0]] = places
        return True

    def scalar(self, value: SSAValue, width: IntegerType) -> SSAValue:
        """An index of the payload as an integer."""
        return self._builder.scalar(self._indices.bound(value), width)

    def _places_of(self, value: SSAValue) -> Places | None:
        """A vector of indices as places; a scalar has the same value in every lane."""
        if isinstance(value.type, IndexType):
            # The number of a lane, not an offset: data and extrema are fine.
            return Places(self._indices.bound(value), None)
        known = self._known.get(value)
        if known is None and isinstance(
            value.owner, arith.ConstantOp | vector.BroadcastOp
        ):
            known = self._places(value.owner)
        return known

    def _places(self, op: Operation) -> Places | None:
        match op:
            case StepOp():
                # A broadcast may stretch a single lane: its number is 0 in all copies.
                return Places(Linear(), 0 if shape_of(op.result.type) != (1,) else None)
            case arith.ConstantOp():
                constant = constant_of_op(op)
                if not isinstance(constant, IntegerAttr):
                    return None
                return Places(Linear({}, constant.value.data), None)
            case vector.BroadcastOp():
                source = self._places_of(op.source)
                if source is None or source.dim is None:
                    return source
                lead = len(shape_of(op.vector.type)) - len(shape_of(op.source.type))
                return replace(source, dim=source.dim + lead)
            case TransposeOp():
                source = self._places_of(op.vector)
                if source is None or source.dim is None:
                    return source
                return replace(source, dim=list(op.order).index(source.dim))
            case ShapeCastOp():
                source = self._places_of(op.source)
                if source is None or source.dim is None:
                    return source
                if tile_shape(op.source.type) != tile_shape(op.result.type):
                    return None
                lane = kept_dims(op.source.type).index(source.dim)
                return replace(source, dim=kept_dims(op.result.type)[lane])
            case arith.AddiOp():
                lhs, rhs = (self._places_of(operand) for operand in op.operands)
                if lhs is None or rhs is None or None not in (lhs.dim, rhs.dim):
                    return None
                dim = rhs.dim if lhs.dim is None else lhs.dim
                return Places(lhs.start + rhs.start, dim)
            case arith.SubiOp():
                lhs, rhs = (self._places_of(operand) for operand in op.operands)
                if lhs is None or rhs is None or rhs.dim is not None:
                    return None
                return Places(lhs.start - rhs.start, lhs.dim)
            case _:
                return None

    def tile(self, value: SSAValue) -> SSAValue | None:
        """Places as a tile of integers, which the offsets of addresses share.

        None where the value is not kept as places.
        """
        places = self._known.get(value)
        if places is None:
            return None
        builder = self._builder
        width = self.integer_type(value)
        shape = tile_shape(value.type)
        kept = kept_dims(value.type)
        if places.dim not in kept:
            return builder.stretch(builder.scalar(places.start, width), shape)
        lane = kept.index(places.dim)
        letter = builder.axes.letter_of_lane(value, places.dim)
        outer = places.start.up_to(builder.home)
        offsets = self._addresses.lanes_from(outer, shape[lane], letter)
        offsets = builder.resize(offsets, width, builder.home)
        inner = places.start - outer
        tile = builder.along(offsets, lane, len(shape), builder.level)
        if inner != Linear():
            tile = builder.plus(tile, builder.scalar(inner, width), builder.level)
        return builder.stretch(tile, shape)

    def integer_type(self, *values: SSAValue) -> IntegerType:
        """i32 where all values fit, else i64 as in the payload."""
        for value in values:
            bounds = self._range(value)
            if bounds is None or bounds[0] < -MAX_I32 or bounds[1] > MAX_I32:
                return i64
        return i32

    def as_integers(self, values: list[SSAValue], of: IntegerType) -> list[SSAValue]:
        """Tiles of indices, all of one width."""
        builder = self._builder
        return [builder.resize(value, of, builder.level) for value in values]

    def _range(self, value: SSAValue) -> Range | None:
        """The least and the greatest number in a vector, if they are known."""
        if value not in self._ranges:
            places = self._places_of(value)
            if places is not None:
                lanes = (
                    0 if places.dim is None else shape_of(value.type)[places.dim] - 1
                )
                found = places.start.low, places.start.high + lanes
            else:
                found = self._computed_range(value.owner)
            of = element_of(value.type)
            if isinstance(of, IntegerType) and not _fits(found, of.width.data):
                found = None  # it may wrap around
            self._ranges[value] = found
        return self._ranges[value]

    def _computed_range(self, op: Operation | Block) -> Range | None:
        match op:
            case arith.DivSIOp() | arith.RemSIOp() | arith.DivUIOp() | arith.RemUIOp():
                bounds, by = self._range(op.lhs), self._range(op.rhs)
                is_unsigned = isinstance(op, arith.DivUIOp | arith.RemUIOp)
                if bounds is None or (is_unsigned and bounds[0] < 0):
                    return None
                is_quotient = isinstance(op, arith.DivSIOp | arith.DivUIOp)
                return _divided(bounds, by, is_quotient)
            case arith.ExtSIOp() | arith.TruncIOp():
                return self._range(op.input)
            case arith.IndexCastOp():
                known = self._range(op.input)
                if known is None and _is_narrow(op.input):
                    return (-MAX_I32, MAX_I32)
                return known
            case arith.FPToSIOp() if _is_narrow(op.result):
                return (-MAX_I32, MAX_I32)
            case (
                arith.AddiOp()
                | arith.SubiOp()
                | arith.MuliOp()
                | arith.MaxSIOp()
                | arith.MinSIOp()
            ):
                left, right = self._range(op.lhs), self._range(op.rhs)
                if left is None or right is None:
                    return None
                return _of_two(op, left, right)
            case _:
                return None


def _is_narrow(value: SSAValue) -> bool:
    """Whether a value is of integers of at most 32 bits."""
    of = element_of(value.type)
    return isinstance(of, IntegerType) and of.width.data <= 32


def _divided(bounds: Range, by: Range | None, is_quotient: bool) -> Range:
    """The range of a quotient or a remainder: both are rounded towards zero."""
    most = max(abs(bounds[0]), abs(bounds[1]))
    if by is not None and by[0] > 0:
        most = most // by[0] if is_quotient else min(most, by[1] - 1)
    return (0 if bounds[0] >= 0 else -most), most


def _of_two(op: Operation, left: Range, right: Range) -> Range:
    """The range of an op of two operands."""
    match op:
        case arith.AddiOp():
            return left[0] + right[0], left[1] + right[1]
        case arith.SubiOp():
            return left[0] - right[1], left[1] - right[0]
        case arith.MaxSIOp():
            return max(left[0], right[0]), max(left[1], right[1])
        case arith.MinSIOp():
            return min(left[0], right[0]), min(left[1], right[1])
        case _:
            corners = [a * b for a in left for b in right]
            return min(corners), max(corners)


def _fits(bounds: Range | None, width: int) -> bool:
    """Whether a signed integer has all numbers of a range."""
    least = -(1 << (width - 1))
    return bounds is None or (least <= bounds[0] and bounds[1] < -least)
