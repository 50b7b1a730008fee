"""The ops that can be tiled, each with the class that says how."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.structured.tile.interface.pad import PadTiling
from tilewright.transforms.structured.tile.interface.softmax import SoftmaxTiling
from tilewright.transforms.structured.tile.interface.structured import StructuredTiling
from tilewright.transforms.structured.tile.interface.tiling import Tiling

TILINGS: Mapping[str, type[Tiling]] = {
    "linalg.softmax": SoftmaxTiling,
    "tensor.pad": PadTiling,
}
"""By the op's name; every structured op has tiles, too."""


def tiling_of(op: Operation) -> Tiling | None:
    """How an op is tiled; None if it has no tiles."""
    if isinstance(op, StructuredOp):
        return StructuredTiling(op)
    tiling = TILINGS.get(op.name)
    return None if tiling is None else tiling(op)
