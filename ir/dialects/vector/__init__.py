"""vector: n-dimensional registers, in upstream's syntax.

The one place to import the dialect's ops from. xDSL's `FMAOp` and combining kinds are
used. The other ops are ours: xDSL's check fewer shapes and take fewer forms.
"""

from __future__ import annotations

from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Dialect

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

Vector = Dialect(
    "vector",
    [
        BitcastOp,
        BroadcastOp,
        CompressStoreOp,
        ConstantMaskOp,
        ContractOp,
        CreateMaskOp,
        DeinterleaveOp,
        ExpandLoadOp,
        ExtractOp,
        ExtractStridedSliceOp,
        FMAOp,
        FromElementsOp,
        GatherOp,
        InsertOp,
        InsertStridedSliceOp,
        InterleaveOp,
        LoadOp,
        MaskOp,
        MaskedLoadOp,
        MaskedStoreOp,
        MultiReductionOp,
        OuterProductOp,
        PrintOp,
        ReductionOp,
        ScanOp,
        ScatterOp,
        ShapeCastOp,
        ShuffleOp,
        StepOp,
        StoreOp,
        ToElementsOp,
        TransferReadOp,
        TransferWriteOp,
        TransposeOp,
        YieldOp,
    ],
    [CombiningKindAttr, IteratorTypeAttr, PunctuationAttr],
)

NOT_YET = frozenset(
    {
        "vector.scalable.extract",
        "vector.scalable.insert",
        "vector.type_cast",
        "vector.vscale",
    }
)
"""Ops of upstream's dialect that are not here: scalable vectors, and one cast."""

__all__ = [
    "NOT_YET",
    "POISON",
    "BitcastOp",
    "BroadcastOp",
    "CombiningKindAttr",
    "CombiningKindFlag",
    "CompressStoreOp",
    "ConstantMaskOp",
    "ContractOp",
    "CreateMaskOp",
    "DeinterleaveOp",
    "ExpandLoadOp",
    "ExtractOp",
    "ExtractStridedSliceOp",
    "FMAOp",
    "FromElementsOp",
    "GatherOp",
    "InsertOp",
    "InsertStridedSliceOp",
    "InterleaveOp",
    "IteratorType",
    "IteratorTypeAttr",
    "LoadOp",
    "MaskOp",
    "MaskedLoadOp",
    "MaskedStoreOp",
    "MultiReductionOp",
    "OuterProductOp",
    "PrintOp",
    "Punctuation",
    "PunctuationAttr",
    "ReductionOp",
    "ScanOp",
    "ScatterOp",
    "ShapeCastOp",
    "ShuffleOp",
    "StepOp",
    "StoreOp",
    "ToElementsOp",
    "TransferReadOp",
    "TransferWriteOp",
    "TransposeOp",
    "Vector",
    "YieldOp",
    "dims_of",
]
