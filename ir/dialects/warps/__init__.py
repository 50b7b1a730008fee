"""The warps dialect: kernels whose warps have different roles.

It says what Triton hides: tiles in shared memory that are used in turn, copies that
run by themselves, barriers with phases, products that run by themselves, and groups of
warps with their own code and registers. It stands beside the kernel dialect, inside a
`kernel.func`; scalars, tiles in registers and arithmetic are as there.

    types       rings, views and barriers; layouts of registers
    partitions  groups of warps
    barriers    barriers, arrivals, waits
    memory      shared memory and copies
    products    products, their waits, conversions of layouts

Imports `ir.dialects.kernel`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.warps.barriers import (
    ArriveOp,
    BarriersOp,
    ExpectOp,
    SyncOp,
    WaitOp,
)
from tilewright.ir.dialects.warps.memory import (
    CopyInOp,
    CopyOutOp,
    FenceOp,
    ReadOp,
    ReshapeOp,
    RingOp,
    SlotOp,
    StoreWaitOp,
    TransposeOp,
    WriteOp,
)
from tilewright.ir.dialects.warps.partitions import (
    LEAST_REGISTERS,
    WARP_GROUP,
    PartitionOp,
    PartOp,
    SpecializeOp,
    partition_of,
    register_pool,
    whole_groups,
)
from tilewright.ir.dialects.warps.products import ConvertOp, DotOp, DotWaitOp, PinOp
from tilewright.ir.dialects.warps.types import (
    DEPTH,
    BarriersType,
    Layout,
    MmaLayout,
    OperandLayout,
    RingType,
    SliceLayout,
    ViewType,
    WholeLayout,
    is_layout,
    tile_bytes,
)

Warps = collected("warps", vars())
