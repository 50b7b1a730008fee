"""linalg: the structured ops and their one interface, under upstream's names.

All ops are ours: xDSL's declare no effects and check neither maps nor sizes. The
interface is here, since the verifiers need it; what follows from it is in
`ir/structured`.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from tilewright.ir.dialects.linalg.attributes import (
    ElementwiseKindAttr,
    IteratorType,
    IteratorTypeAttr,
    TypeFn,
    TypeFnAttr,
)
from tilewright.ir.dialects.linalg.contractions import (
    BatchMatmulOp,
    BatchMatvecOp,
    BatchReduceMatmulOp,
    BatchVecmatOp,
    ContractionOp,
    ContractOp,
    DotOp,
    MatmulOp,
    MatvecOp,
    NamedContractionOp,
    VecmatOp,
)
from tilewright.ir.dialects.linalg.elementwise import (
    FUNCTION_OPS,
    CopyOp,
    ElementwiseOp,
    FillOp,
    FunctionOp,
)
from tilewright.ir.dialects.linalg.generic import GenericOp, IndexOp, YieldOp
from tilewright.ir.dialects.linalg.loops import iterators, loop_ranges, maps_attribute
from tilewright.ir.dialects.linalg.movement import BroadcastOp, TransposeOp
from tilewright.ir.dialects.linalg.named import NamedOp
from tilewright.ir.dialects.linalg.not_yet import NOT_YET
from tilewright.ir.dialects.linalg.reduce import ReduceOp
from tilewright.ir.dialects.linalg.softmax import SoftmaxOp
from tilewright.ir.dialects.linalg.structured import StructuredOp

Linalg = Dialect(
    "linalg",
    [
        GenericOp,
        YieldOp,
        IndexOp,
        *FUNCTION_OPS.values(),
        FillOp,
        CopyOp,
        ElementwiseOp,
        MatmulOp,
        BatchMatmulOp,
        BatchReduceMatmulOp,
        MatvecOp,
        VecmatOp,
        BatchMatvecOp,
        BatchVecmatOp,
        DotOp,
        ContractOp,
        ReduceOp,
        BroadcastOp,
        TransposeOp,
        SoftmaxOp,
    ],
    [IteratorTypeAttr, TypeFnAttr, ElementwiseKindAttr],
)

__all__ = [
    "FUNCTION_OPS",
    "NOT_YET",
    "BatchMatmulOp",
    "BatchMatvecOp",
    "BatchReduceMatmulOp",
    "BatchVecmatOp",
    "BroadcastOp",
    "ContractOp",
    "ContractionOp",
    "CopyOp",
    "DotOp",
    "ElementwiseKindAttr",
    "ElementwiseOp",
    "FillOp",
    "FunctionOp",
    "GenericOp",
    "IndexOp",
    "IteratorType",
    "IteratorTypeAttr",
    "Linalg",
    "MatmulOp",
    "MatvecOp",
    "NamedContractionOp",
    "NamedOp",
    "ReduceOp",
    "SoftmaxOp",
    "StructuredOp",
    "TransposeOp",
    "TypeFn",
    "TypeFnAttr",
    "VecmatOp",
    "YieldOp",
    "iterators",
    "loop_ranges",
    "maps_attribute",
]
