"""memref: buffers, in upstream's syntax, with the layouts that upstream infers.

All ops are our own, and other code imports them from this package. xDSL's ops have no
short form, lack effects, or accept sizes and layouts that do not fit; its `dealloc` is
equal, but importing its file for that op takes 11 ms.

    layouts                strides and offset of a buffer type
    allocation, globals    memory of a function, memory of the module
    access, atomics        loads, stores and copies; atomic accesses and prefetches
    queries                sizes, strides and addresses
    casts, reshapes, subview    other views of the same memory

Imports `ir/dialects/{effects,scf}` and `ir/types.py`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.memref.access import CopyOp, LoadOp, StoreOp
from tilewright.ir.dialects.memref.allocation import (
    AllocaOp,
    AllocOp,
    DeallocOp,
    ReallocOp,
)
from tilewright.ir.dialects.memref.atomics import AtomicRMWOp, PrefetchOp
from tilewright.ir.dialects.memref.casts import (
    CastOp,
    MemorySpaceCastOp,
    ReinterpretCastOp,
    TransposeOp,
    ViewOp,
)
from tilewright.ir.dialects.memref.globals import GetGlobalOp, GlobalOp
from tilewright.ir.dialects.memref.layouts import Layout, layout_of
from tilewright.ir.dialects.memref.queries import (
    AssumeAlignmentOp,
    DimOp,
    ExtractAlignedPointerAsIndexOp,
    ExtractStridedMetadataOp,
    RankOp,
)
from tilewright.ir.dialects.memref.regions import (
    AllocaScopeOp,
    AllocaScopeReturnOp,
    AtomicYieldOp,
    GenericAtomicRMWOp,
)
from tilewright.ir.dialects.memref.reshapes import (
    CollapseShapeOp,
    ExpandShapeOp,
    ReshapeOp,
    collapsed_type,
    groups_of,
)
from tilewright.ir.dialects.memref.subview import SubviewOp

MemRef = collected("memref", vars())

NOT_YET = frozenset(
    {
        "memref.distinct_objects",
        "memref.dma_start",
        "memref.dma_wait",
    }
)
"""Ops of upstream's dialect that this compiler does not have."""
