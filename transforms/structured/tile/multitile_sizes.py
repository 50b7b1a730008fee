"""`structured.multitile_sizes`: two tile sizes that together cover a loop exactly.

    %low, %high, %split =
        multitile_sizes %mm {dimension = 0, target_size = 7, divisor = 2}

For a loop of extent 100 these are 6, 8 and 12: two tiles of 6, then eleven of 8. No
tile is partial, none is larger than the target rounded up to the divisor, and all are
multiples of the divisor. The payload stays as it is; `split` it after %split, then tile
the parts by %low and %high.

Requires: a loop whose extent is known and a multiple of the divisor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.transforms.core.base import TransformParamHandleType
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.tile.size_queries import SizeQuery

_ONE = IntegerAttr(1, i64)


@irdl_op_definition
class MultitileSizesOp(SizeQuery):
    """The low and the high size, and how much the low ones cover, for each target."""

    name = "transform.structured.multitile_sizes"
    RESULTS: ClassVar[int] = 3

    divisor = prop_def(IntegerAttr.constr(i64), default_value=_ONE)
    low_size = result_def(TransformParamHandleType)
    high_size = result_def(TransformParamHandleType)
    split_point = result_def(TransformParamHandleType)

    def shown_properties(self) -> dict[str, Attribute]:
        """Add the divisor, unless it is 1."""
        shown = super().shown_properties()
        return shown if self.divisor == _ONE else {**shown, "divisor": self.divisor}

    def apply(self, state: TransformState) -> None:
        """Compute the sizes; the payload does not change."""
        size, divisor = self.size_wanted(), self.divisor.value.data
        if divisor < 1:
            raise self.broken(f"nothing is a multiple of {divisor}")
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
