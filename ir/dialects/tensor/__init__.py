"""tensor: immutable values; every op on them is pure.

All ops are ours: xDSL's accept slices, indices and sizes that do not fit, and take
reshapes from and to rank 0 for errors.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from tilewright.ir.dialects.tensor.regions import GenerateOp, PadOp, YieldOp
from tilewright.ir.dialects.tensor.shapes import (
    CollapseShapeOp,
    ExpandShapeOp,
    ReshapeOp,
    groups_of,
    reassociation_of,
)
from tilewright.ir.dialects.tensor.slices import (
    ExtractSliceOp,
    InsertSliceOp,
    ParallelInsertSliceOp,
    Slice,
    SliceOp,
    dropped_dims,
    slice_of,
)
from tilewright.ir.dialects.tensor.values import (
    BitcastOp,
    CastOp,
    ConcatOp,
    DimOp,
    EmptyOp,
    ExtractOp,
    FromElementsOp,
    InsertOp,
    RankOp,
    SplatOp,
)

Tensor = Dialect(
    "tensor",
    [
        BitcastOp,
        CastOp,
        CollapseShapeOp,
        ConcatOp,
        DimOp,
        EmptyOp,
        ExpandShapeOp,
        ExtractOp,
        ExtractSliceOp,
        FromElementsOp,
        GenerateOp,
        InsertOp,
        InsertSliceOp,
        PadOp,
        ParallelInsertSliceOp,
        RankOp,
        ReshapeOp,
        SplatOp,
        YieldOp,
    ],
    [],
)

__all__ = [
    "BitcastOp",
    "CastOp",
    "CollapseShapeOp",
    "ConcatOp",
    "DimOp",
    "EmptyOp",
    "ExpandShapeOp",
    "ExtractOp",
    "ExtractSliceOp",
    "FromElementsOp",
    "GenerateOp",
    "InsertOp",
    "InsertSliceOp",
    "PadOp",
    "ParallelInsertSliceOp",
    "RankOp",
    "ReshapeOp",
    "Slice",
    "SliceOp",
    "SplatOp",
    "Tensor",
    "YieldOp",
    "dropped_dims",
    "groups_of",
    "reassociation_of",
    "slice_of",
]
