"""tensor: immutable arrays; no op of the dialect accesses memory.

    values     ops that make tensors, cast them, or access elements and sizes
    slices     extract_slice, insert_slice, parallel_insert_slice
    shapes     expand_shape, collapse_shape, reshape
    regions    pad and generate, whose elements a region computes

All ops are our own: xDSL's accept slices, indices and sizes that do not fit, and refuse
reshapes from and to rank 0. Imports `ir/dialects/{arith,elementwise,scf}` and
`ir/types.py`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.collected import collected
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

Tensor = collected("tensor", vars())
