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
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.atoms import MAX_I32, Linear
from tilewright.codegen.analysis.constants import constant_of_op
from tilewright.codegen.analysis.indices import Indices
from tilewright.codegen.analysis.tiles import kept_dims, tile_shape
from tilewright.codegen.kernel.accesses import AccessBuilder
from tilewright.codegen.kernel.builder import Builder
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import element_of, shape_of
from tilewright.ir.dialects.vector import ShapeCastOp, StepOp, TransposeOp


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

    def keep(self, op: Operation) -> bool:
        """Keep an op's result as places; return whether it has that form."""
        places = self._places(op)
        if places is None:
            return False
        self._known[op.results[0]] = places
        return True

    def scalar(self, value: SSAValue, width: IntegerType) -> SSAValue:
        """An index of the payload as an integer."""
        return self._builder.scalar(self._indices.linear(value), width)

    def _places_of(self, value: SSAValue) -> Places | None:
        """A vector of indices as places; a scalar has the same value in every lane."""
        if isinstance(value.type, IndexType):
            return Places(self._indices.linear(value), None)
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

    def _range(self, value: SSAValue) -> tuple[int, int] | None:
        """The least and the greatest index in a vector, if they are known."""
        places = self._places_of(value)
        if places is not None:
            lanes = 0 if places.dim is None else shape_of(value.type)[places.dim] - 1
            return places.start.low, places.start.high + lanes
        op = value.owner
        match op:
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp():
                pass
            case arith.DivSIOp() | arith.RemSIOp() | arith.DivUIOp() | arith.RemUIOp():
                # The result is not larger than the dividend.
                bounds = self._range(op.lhs)
                if bounds is None or (
                    isinstance(op, arith.DivUIOp | arith.RemUIOp) and bounds[0] < 0
                ):
                    return None
                most = max(abs(bounds[0]), abs(bounds[1]))
                return -most, most
            case arith.IndexCastOp():
                of = element_of(op.input.type)
                is_narrow = isinstance(of, IntegerType) and of.width.data <= 32
                return (-MAX_I32, MAX_I32) if is_narrow else None
            case _:
                return None
        left, right = self._range(op.lhs), self._range(op.rhs)
        if left is None or right is None:
            return None
        if isinstance(op, arith.AddiOp):
            return left[0] + right[0], left[1] + right[1]
        if isinstance(op, arith.SubiOp):
            return left[0] - right[1], left[1] - right[0]
        corners = [a * b for a in left for b in right]
        return min(corners), max(corners)
