"""linalg: structured ops and their common interface, under upstream's names.

    structured    `StructuredOp`: loops, indexing maps and a body
    loops         extents of loops, iterator types and maps
    checks        the rules that every structured op follows
    named         ops whose body follows from their types
    scalars       the table of scalar functions that bodies are made of
    syntax        the parts of the text that structured ops share
    short_bodies  the bodies of map and reduce in the text
    generic       `linalg.generic`, and the ops of a body
    ops/          all other ops, a file a family

All ops are our own: xDSL's declare no effects and check neither maps nor sizes. The
interface is here because the verifiers need it; analyses are in `ir/structured`.
Imports `ir/dialects/{arith,effects,enums,math}` and `ir/types.py`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.linalg.attributes import (
    ElementwiseKindAttr,
    IteratorType,
    IteratorTypeAttr,
    TypeFn,
    TypeFnAttr,
)
from tilewright.ir.dialects.linalg.generic import GenericOp, IndexOp, YieldOp
from tilewright.ir.dialects.linalg.loops import iterators, loop_ranges, maps_attribute
from tilewright.ir.dialects.linalg.named import NamedOp
from tilewright.ir.dialects.linalg.not_yet import NOT_YET
from tilewright.ir.dialects.linalg.ops.contractions import (
    BatchMatmulOp,
    BatchMatvecOp,
    BatchMmt4dOp,
    BatchReduceMatmulOp,
    BatchVecmatOp,
    ContractionOp,
    ContractOp,
    DotOp,
    MatmulOp,
    MatvecOp,
    Mmt4dOp,
    NamedContractionOp,
    QuantizedBatchMatmulOp,
    QuantizedMatmulOp,
    VecmatOp,
)
from tilewright.ir.dialects.linalg.ops.elementwise import (
    FUNCTION_OPS,
    CopyOp,
    ElementwiseOp,
    FillOp,
    FunctionOp,
)
from tilewright.ir.dialects.linalg.ops.map import MapOp
from tilewright.ir.dialects.linalg.ops.movement import BroadcastOp, TransposeOp
from tilewright.ir.dialects.linalg.ops.random import FillRng2DOp
from tilewright.ir.dialects.linalg.ops.reduce import ReduceOp
from tilewright.ir.dialects.linalg.ops.relayout import PackOp, RelayoutOp, UnPackOp
from tilewright.ir.dialects.linalg.ops.softmax import SoftmaxOp
from tilewright.ir.dialects.linalg.ops.windows import (
    WINDOW_OPS,
    ConvolutionOp,
    PoolingOp,
    WindowOp,
)
from tilewright.ir.dialects.linalg.structured import StructuredOp

Linalg = collected("linalg", {**vars(), **FUNCTION_OPS, **WINDOW_OPS})
