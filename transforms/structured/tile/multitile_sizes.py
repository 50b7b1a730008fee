"""`structured.multitile_sizes`: two tile sizes that together cover a loop exactly.

    %low, %high, %split =
        multitile_sizes %mm {dimension = 0, target_size = 7, divisor = 2}

For a loop of extent 100 these are 6, 8 and 12: two tiles of 6, then eleven of 8. No
tile is partial, none is larger than the target rounded up to the divisor, and all are
multiples of the divisor. The payload stays as it is; `split` it after %split, then tile
the parts by %low and %high. As handles to ops, the sizes are computed in the payload:
then the extent may be open, and an assertion checks that the tiles cover it.

Requires: for parameters, an extent that is known and a multiple of the divisor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.cf import AssertOp
from tilewright.transforms.core.base import TransformHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.tile.one_tile import loop_ranges
from tilewright.transforms.structured.tile.size_queries import (
    SizeQuery,
    floor_div,
    modulo,
    size_op,
    times,
)

_ONE = IntegerAttr(1, i64)


@irdl_op_definition
class MultitileSizesOp(SizeQuery):
    """The low and the high size, and how much the low ones cover, for each target."""

    name = "transform.structured.multitile_sizes"
    RESULTS: ClassVar[int] = 3

    divisor = prop_def(IntegerAttr.constr(i64), default_value=_ONE)
    low_size = result_def(TransformHandleType)
    high_size = result_def(TransformHandleType)
    split_point = result_def(TransformHandleType)

    def shown_properties(self) -> dict[str, Attribute]:
        """Add the divisor, unless it is 1."""
        shown = super().shown_properties()
        return shown if self.divisor == _ONE else {**shown, "divisor": self.divisor}

    def apply(self, state: TransformState) -> None:
        """Compute the sizes; the payload does not change."""
        size, divisor = self.size_wanted(), self.divisor.value.data
        if divisor < 1:
            raise self.broken(f"nothing is a multiple of {divisor}")
        if self.gives_ops:
            self._apply_to_payload(state, size, divisor)
            return
        sizes: list[Sizes] = []
        for op in state.payload_ops(self.target):
            extent = self.extent(op)
            if extent % divisor or extent == 0:
                raise self.refuse(
                    f"an extent of {extent} is not made up of multiples of {divisor}",
                    op,
                    "choose a divisor of the extent, or pad the op",
                )
            sizes.append(sizes_for(extent, size, divisor))
        for result, numbers in (
            (self.low_size, [s.low for s in sizes]),
            (self.high_size, [s.high for s in sizes]),
            (self.split_point, [s.split for s in sizes]),
        ):
            state.set_params(result, [IntegerAttr(number, i64) for number in numbers])

    def _apply_to_payload(self, state: TransformState, size: int, divisor: int) -> None:
        """Compute the sizes in front of each target, with an assertion."""
        targets = [self.loop_of(op) for op in state.payload_ops(self.target)]
        found: list[tuple[Operation, ...]] = []
        for op, loop in targets:
            new_ops = OpList()
            extent = loop_ranges(op, new_ops)[loop]
            exprs = size_exprs(size, divisor)
            low, high, split, covered = (
                size_op(expr, extent, new_ops) for expr in exprs
            )
            equal = arith.CmpiOp(covered.results[0], new_ops.index(extent), "eq")
            check = AssertOp(new_ops.add(equal), _UNCOVERED)
            found.append((low, high, split))
            state.rewriter.insert_before(op, *new_ops.ops, check)
        for result, ops in zip(self.results, zip(*found, strict=True), strict=False):
            state.set_ops(result, ops)


_UNCOVERED = "could not compute dynamic multi-size tile shapes"
"""What upstream's assertion says."""


def size_exprs(size: int, divisor: int) -> tuple[AffineExpr, ...]:
    """The low and the high size, the split point, and how much the tiles cover."""
    extent, unit = AffineExpr.symbol(0), AffineConstantExpr(divisor)
    units = floor_div(extent, unit)
    most = AffineConstantExpr(-(-size // divisor))
    tiles = floor_div(units + most - 1, most)
    low = times(floor_div(units, tiles), unit)
    longer = modulo(units, tiles)
    high, split = low + unit, times(low, tiles - longer)
    return low, high, split, split + times(high, longer)


@dataclass(frozen=True)
class Sizes:
    """Tiles of `low` up to `split`, tiles of `high` after it."""

    low: int
    high: int
    split: int


def sizes_for(extent: int, size: int, divisor: int) -> Sizes:
    """The fewest tiles of at most `size`, as equal as possible."""
    units = extent // divisor
    most = -(-size // divisor)
    tiles = -(-units // most)
    low, longer = divmod(units, tiles)
    return Sizes(low * divisor, (low + 1) * divisor, low * divisor * (tiles - longer))
