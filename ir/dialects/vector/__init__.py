"""vector: n-dimensional registers, in upstream's syntax.

`FMAOp` and the combining kinds are xDSL's. The other ops are our own: xDSL's check
fewer shapes and accept fewer forms. Other code imports all of them from this package.

    transfers, transfer_maps    transfer_read and transfer_write, and their maps
    loads, indexed              other reads and writes: contiguous, gather and scatter
    contract, reductions        contract and outerproduct; reductions and scans
    masks                       create_mask, constant_mask and mask
    shapes, slices, elements, lanes    ops that rearrange or pick lanes
    kinds, printing             combining kinds and loop kinds; vector.print

Imports `ir/dialects/{arith,effects,enums}` and `ir/types.py`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag

from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.vector.contract import ContractOp, OuterProductOp, dims_of
from tilewright.ir.dialects.vector.elements import (
    POISON,
    ExtractOp,
    FromElementsOp,
    InsertOp,
    ToElementsOp,
)
from tilewright.ir.dialects.vector.indexed import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    ScatterOp,
)
from tilewright.ir.dialects.vector.kinds import IteratorType, IteratorTypeAttr
from tilewright.ir.dialects.vector.lanes import (
    DeinterleaveOp,
    FMAOp,
    InterleaveOp,
    ShuffleOp,
    StepOp,
)
from tilewright.ir.dialects.vector.loads import (
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    StoreOp,
    TypeCastOp,
)
from tilewright.ir.dialects.vector.masks import (
    ConstantMaskOp,
    CreateMaskOp,
    MaskOp,
    YieldOp,
)
from tilewright.ir.dialects.vector.printing import PrintOp, Punctuation, PunctuationAttr
from tilewright.ir.dialects.vector.reductions import (
    MultiReductionOp,
    ReductionOp,
    ScanOp,
)
from tilewright.ir.dialects.vector.shapes import (
    BitcastOp,
    BroadcastOp,
    ShapeCastOp,
    TransposeOp,
)
from tilewright.ir.dialects.vector.slices import (
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
)
from tilewright.ir.dialects.vector.transfers import TransferReadOp, TransferWriteOp

Vector = collected("vector", vars())

NOT_YET = frozenset(
    {
        "vector.scalable.extract",
        "vector.scalable.insert",
        "vector.vscale",
    }
)
"""Missing ops of upstream's dialect: those on scalable vectors."""
