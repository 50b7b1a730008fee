"""The ops that can be tiled, each with the class that says how."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from tilewright.ir.dialects.linalg import StructuredOp

if TYPE_CHECKING:
    from tilewright.transforms.structured.tile.interface.tiling import Tiling

STRUCTURED = "linalg structured"
"""The key of all structured ops, whatever their names."""


@cache
def tilings() -> Mapping[str, type[Tiling]]:
    """How ops are tiled, by their names; imported when the first op is tiled."""
    from tilewright.transforms.structured.tile.interface.pad import PadTiling
    from tilewright.transforms.structured.tile.interface.relayout import (
        PackTiling,
        UnPackTiling,
    )
    from tilewright.transforms.structured.tile.interface.softmax import SoftmaxTiling
    from tilewright.transforms.structured.tile.interface.structured import (
        StructuredTiling,
    )

    return {
        STRUCTURED: StructuredTiling,
        "linalg.pack": PackTiling,
        "linalg.softmax": SoftmaxTiling,
        "linalg.unpack": UnPackTiling,
        "tensor.pad": PadTiling,
    }


def tiling_of(op: Operation) -> Tiling | None:
    """How an op is tiled; None if it has no tiles."""
    key = STRUCTURED if isinstance(op, StructuredOp) else op.name
    tiling = tilings().get(key)
    return None if tiling is None else tiling(op)
