"""Addresses of loads and stores: offset vectors, masks and tiles of pointers.

The loop-invariant part of an address is computed before the loop; inside the loop only
the loop's own scalar term is added. A mask compares the index into the base buffer with
its bound, one comparison for each masked dimension.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    IntegerType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.atoms import MAX_EXTENT, MAX_I32, Linear
from tilewright.codegen.analysis.elements.tiles import kept_dims, tile_shape, tile_type
from tilewright.codegen.analysis.elements.views import Access, Bound, Buffer, strides_of
from tilewright.codegen.kernel.builder import Builder
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CompareOp,
    OffsetOp,
    shape_of,
)


@dataclass(frozen=True)
class Pointers:
    """A tile of pointers, and the mask of the lanes that may be accessed."""

    tile: SSAValue
    mask: SSAValue | None


@dataclass(frozen=True)
class Condition:
    """A condition on lanes, and the loop level where it is computed."""

    value: SSAValue
    level: int


class AccessBuilder:
    """Builds addresses and masks for the accesses of one kernel."""

    def __init__(self, builder: Builder):
        self.builder = builder

    def pointers(self, access: Access, base: SSAValue, name: str) -> Pointers:
        """Addresses and mask of an access whose tile has no broadcast dimensions."""
        return Pointers(self._tile(access, base, name), self.mask(access))

    def mask(self, access: Access) -> SSAValue | None:
        """The conjunction of the bounds that can fail; None if all always hold."""
        return self._all([self._bound(access, bound) for bound in access.bounds])

    def _bound(self, access: Access, bound: Bound) -> Condition:
        limit = access.limit_in_base(bound)
        if bound.lane is not None:
            rank = len(access.shape)
            return self._condition(access, bound.dim, limit, bound.lane, rank)
        start = access.starts[bound.dim]
        level = self._level(start, limit)
        value = self.builder.once(
            ("below", start, limit),
            level,
            lambda: self._scalar_below(access, bound.dim, start, limit, level),
        )
        return Condition(value, level)

    def _level(self, *forms: Linear) -> int:
        """The outermost level at which the forms and the program's tile are known."""
        return max(self.builder.home, *(form.level for form in forms))

    def _scalar_below(
        self, access: Access, dim: int, start: Linear, limit: Linear, level: int
    ) -> SSAValue:
        """Whether the only index of a tile along a dimension is below the limit."""
        builder = self.builder
        size = access.sizes[dim]
        other = (
            builder.extent(access.op, dim, size)
            if limit == size
            else builder.scalar(limit)
        )
        lhs, rhs = builder.align(builder.scalar(start), other, level)
        letter = builder.axes.letter_of(access.op, dim)
        return builder.add(CompareOp("lt", lhs, rhs), level, f"mask_{letter.lower()}")

    def _all(self, conditions: list[Condition]) -> SSAValue | None:
        """The conjunction of conditions; None for an empty list."""
        total: Condition | None = None
        for condition in conditions:
            total = condition if total is None else self._both(total, condition)
        return None if total is None else total.value

    def _both(self, first: Condition, second: Condition) -> Condition:
        builder, level = self.builder, max(first.level, second.level)
        lhs, rhs = builder.align(first.value, second.value, level)
        value = builder.once(
            ("and", lhs, rhs),
            level,
            lambda: builder.add(arith.AndIOp(lhs, rhs), level, "mask"),
        )
        return Condition(value, level)

    def box(self, mask: SSAValue, limits: Sequence[tuple[Linear, ...]]) -> SSAValue:
        """A mask as a tile: true for lanes below limits[d] along each dimension d."""
        sizes = shape_of(mask.type)
        total = self._all(
            [
                self._below(mask, dim, form)
                for dim, forms in enumerate(limits)
                for form in forms
                if form.low < sizes[dim]
            ]
        )
        if total is None:
            total = self.builder.splat(IntegerAttr(1, i1), tile_type(mask.type))
        return self.builder.stretch(total, tile_shape(mask.type))

    def _below(self, mask: SSAValue, mask_dim: int, form: Linear) -> Condition:
        """Lanes below a size, as a bound on a buffer's index where there is one."""
        builder, level = self.builder, self._level(form)
        shape = tile_shape(mask.type)
        letter = builder.axes.letter_of_lane(mask, mask_dim)
        if mask_dim not in kept_dims(mask.type):
            lhs, rhs = builder.align(builder.integer(0), builder.scalar(form), level)
            return Condition(builder.add(CompareOp("lt", lhs, rhs), level), level)
        lane = kept_dims(mask.type).index(mask_dim)
        for access in builder.axes.accesses:
            for dim, own in enumerate(access.lanes):
                if (
                    own is not None
                    and access.shape[own] == shape[lane]
                    and access.steps[dim] == 1
                    and builder.axes.letter_of(access.op, dim) == letter
                    and (access.starts[dim] + form).is_given
                    and access.starts[dim].level <= builder.level
                ):
                    limit = access.starts[dim] + form
                    return self._condition(access, dim, limit, lane, len(shape))
        lanes = builder.once(
            ("lanes", letter, shape[lane]),
            0,
            lambda: builder.add(
                ArangeOp(shape[lane], builder.axes.block(letter, shape[lane])),
                0,
                f"lane_{letter.lower()}" if letter else "lane",
            ),
        )
        lhs, rhs = builder.align(
            builder.along(lanes, lane, len(shape), level), builder.scalar(form), level
        )
        return Condition(builder.add(CompareOp("lt", lhs, rhs), level), level)

    def _condition(
        self, access: Access, dim: int, limit: Linear, lane: int, rank: int
    ) -> Condition:
        """Whether the index along a dimension of the base is below `limit`."""
        start = access.starts[dim]
        letter = self.builder.axes.letter_of(access.op, dim)
        own = access.lanes[dim]
        assert own is not None
        level = self._level(start, limit)
        lanes = self.builder.once(
            ("below", start, limit, access.shape[own], access.steps[dim], letter),
            level,
            lambda: self._compare(access, dim, limit, level),
        )
        return Condition(self.builder.along(lanes, lane, rank, level), level)

    def _compare(self, access: Access, dim: int, limit: Linear, level: int) -> SSAValue:
        builder = self.builder
        start = access.starts[dim]
        inner = start - start.up_to(builder.home)
        offsets = self.offsets(access, dim)
        rest = limit - inner
        size = access.sizes[dim]
        loop = rest - size
        if loop.constant == 0 and not any(atom.runtime for atom in loop.terms):
            # The bound is the extent of the buffer, which has a name.
            extent = builder.extent(access.op, dim, size)
            other = (
                extent
                if loop == Linear()
                else builder.minus(extent, builder.scalar(loop * -1), level)
            )
        else:
            other = builder.scalar(rest)
        lhs, rhs = builder.align(offsets, other, level)
        letter = builder.axes.letter_of(access.op, dim)
        return builder.add(CompareOp("lt", lhs, rhs), level, f"mask_{letter.lower()}")

    def offsets(self, access: Access, dim: int) -> SSAValue:
        """Indices of the tile's lanes along a dimension of the base, before loops."""
        lane = access.lanes[dim]
        assert lane is not None
        start = access.starts[dim].up_to(self.builder.home)
        letter = self.builder.axes.letter_of(access.op, dim)
        return self.lanes_from(start, access.shape[lane], letter, access.steps[dim])

    def lanes_from(
        self, start: Linear, length: int, letter: str | None, step: int = 1
    ) -> SSAValue:
        """The indices from `start` on, computed once, before the loops.

        If `start` is the same for all tiles of a program, they are computed before the
        loop over tiles, too.
        """
        level = min(start.level, self.builder.home)
        return self.builder.once(
            ("offsets", start, length, letter, step),
            level,
            lambda: self._make_lanes(start, length, letter, step, level),
        )

    def _make_lanes(
        self, start: Linear, length: int, letter: str | None, step: int, level: int
    ) -> SSAValue:
        builder = self.builder
        name = builder.axes.block(letter, length)
        offsets = builder.add(ArangeOp(length, name), level)
        # Include lanes past the end: an index that wraps around would pass the mask.
        reach = (length - 1) * step
        width = i32 if start.reaches(reach) else i64
        if step != 1:
            offsets = builder.resize(offsets, i32 if reach <= MAX_I32 else i64, level)
            offsets = builder.times(offsets, builder.integer(step), level)
        if start != Linear():
            offsets = builder.plus(builder.scalar(start, width), offsets, level)
        offsets.name_hint = f"offs_{letter.lower()}" if letter else "offs"
        return offsets

    def _tile(self, access: Access, base: SSAValue, name: str) -> SSAValue:
        builder = self.builder
        home = builder.home
        starts = access.starts_up_to(home)
        tile = builder.once(
            ("tile", access.base, starts, access.lanes, access.shape, access.steps),
            home,
            lambda: self._outer_tile(access, base, name),
        )
        for level in range(home + 1, builder.level + 1):
            key = (
                "tile",
                access.base,
                access.starts_up_to(level),
                access.lanes,
                access.shape,
                access.steps,
            )
            tile = builder.once(
                key,
                level,
                lambda: self._step(access, tile, level, name),  # noqa: B023
            )
        return tile

    def _outer_tile(self, access: Access, base: SSAValue, name: str) -> SSAValue:
        builder, home = self.builder, self.builder.home
        pointer = base
        for offset in (self._start(access), self._elements(access)):
            if offset is not None:
                pointer = builder.add(OffsetOp(pointer, offset), home)
        if access.shape and pointer is not base:
            pointer.name_hint = f"{name}_tile"
        return pointer

    def _start(self, access: Access) -> SSAValue | None:
        """The offset of the tile in the dimensions that it has no lanes along."""
        home, width = self.builder.home, self._offset_type(access)
        terms = [
            (start, self._factors(access, dim))
            for dim, lane in enumerate(access.lanes)
            if lane is None and (start := access.starts[dim].up_to(home)) != Linear()
        ]

        def total() -> SSAValue:
            scaled = [
                self._scaled(self.builder.scalar(start, width), factors, home)
                for start, factors in terms
            ]
            return self._sum(scaled, "start")

        if not terms:
            return None
        return self.builder.once(("start", tuple(terms), width), home, total)

    def _elements(self, access: Access) -> SSAValue | None:
        """The offsets of the tile's lanes; tiles of the same layout share them."""
        builder, home, rank = self.builder, self.builder.home, len(access.shape)
        width = self._offset_type(access)
        terms = [
            (self.offsets(access, dim), lane, self._factors(access, dim))
            for dim, lane in enumerate(access.lanes)
            if lane is not None
        ]

        def total() -> SSAValue:
            scaled: list[SSAValue] = []
            for offsets, lane, factors in terms:
                offsets = builder.resize(offsets, width, home)
                along = builder.along(offsets, lane, rank, home)
                scaled.append(self._scaled(along, factors, home))
                if factors:
                    scaled[-1].name_hint = "rows"
            return self._sum(scaled, "offs")

        if not terms:
            return None
        return builder.once(("elements", tuple(terms), width, rank), home, total)

    def _sum(self, terms: list[SSAValue], hint: str) -> SSAValue:
        total: SSAValue | None = None
        for term in terms:
            total = self.builder.plus(total, term, self.builder.home)
        assert total is not None
        total.name_hint = total.name_hint or hint
        return total

    def _step(self, access: Access, tile: SSAValue, level: int, name: str) -> SSAValue:
        """Add what the loop at this level contributes to the address."""
        builder = self.builder
        width = self._offset_type(access)
        total: SSAValue | None = None
        for dim, start in enumerate(access.starts):
            part = start.at_level(level)
            if part != Linear():
                factors = self._factors(access, dim)
                term = self._scaled(builder.scalar(part, width), factors, level)
                total = builder.plus(total, term, level)
        if total is None:
            return tile
        return builder.add(OffsetOp(tile, total), level, f"{name}_tile")

    def _scaled(
        self, value: SSAValue, factors: Sequence[SSAValue], level: int
    ) -> SSAValue:
        for factor in factors:
            value = self.builder.times(value, factor, level)
        return value

    def _factors(self, access: Access, dim: int) -> tuple[SSAValue, ...]:
        """The buffer's stride along a dimension, as a product of extents."""
        builder, width = self.builder, self._offset_type(access)
        stride = strides_of(access.buffer, access.op)[dim]
        inner = range(dim + 1, len(access.sizes))
        sizes = access.buffer.get_shape()
        if stride == 1:
            return ()
        if stride is not None and stride != math.prod(sizes[i] for i in inner):
            return (builder.integer(stride, width),)
        return tuple(
            builder.extent(access.op, position, access.sizes[position], width)
            for position in inner
            if sizes[position] != 1
        )

    def _offset_type(self, access: Access) -> IntegerType:
        """32 bits, or 64 where the buffer has too many elements for those."""
        if is_wide(access.buffer, access.op, asked=self.builder.wide):
            return i64
        return i32


def is_wide(of: Buffer, op: Operation, *, asked: bool) -> bool:
    """Whether offsets into a buffer are 64 bits wide.

    Buffers whose size is unknown get 32-bit offsets unless `asked` requests wide ones;
    the launcher then refuses a buffer that is too large.
    """
    shape = of.get_shape()
    if DYNAMIC_INDEX in shape:
        known = math.prod(size for size in shape if size != DYNAMIC_INDEX)
        return asked or known > MAX_EXTENT
    reach = sum(
        (size - 1) * (stride or 0)
        for size, stride in zip(shape, strides_of(of, op), strict=True)
    )
    return reach > MAX_I32
