"""The kernel dialect: each op stands for one construct of a Triton program.

Scalars are i32, or i64 where a tensor is too large for 32-bit offsets. Tiles are
vectors. Tiles of pointers are vectors of `!kernel.ptr`. Arithmetic is `arith` and
`math`, loops are `scf.for`. A module at this level holds a `kernel.func` for each
kernel, and one `func.func`, the launcher.

    types       pointers, descriptors, events; shapes and elements of tiles
    function    kernel.func, and the named sizes that its body reads
    grid        program ids and the order of tiles
    tiles       ops that make a tile or change its shape
    memory      loads, stores, descriptors, counters
    arithmetic  products, reductions, casts, comparisons
    launch      launcher: launches, checks of sizes, streams
    library     launcher: library calls and copies

A kernel takes pointers and descriptors, then the numbers that are known only at launch:
extents of buffers (`M`) and scalars of the payload. The launcher takes extents from its
arguments by `memref.dim`, computes with them by `affine.apply` and `arith`, and states
what they must be by `kernel.require`.

Sizes that the source mentions by name (`M`, `BLOCK_M`) are the `constants` of a
`kernel.func`. `kernel.constexpr` reads one; `kernel.arange`, `kernel.full` and
`kernel.reshape` may name one as an extent.

Imports `ir.dialects.linalg` (a library call holds a structured op) and `ir.types`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.kernel.arithmetic import (
    CastOp,
    CompareOp,
    DotOp,
    ReduceOp,
    ScanOp,
)
from tilewright.ir.dialects.kernel.function import (
    ConstexprOp,
    FuncOp,
    ReturnOp,
    named_sizes,
)
from tilewright.ir.dialects.kernel.grid import (
    EachTileOp,
    GroupedTileOp,
    LastArriverOp,
    NumProgramsOp,
    ProgramIdOp,
)
from tilewright.ir.dialects.kernel.launch import (
    CountersOp,
    LaunchOp,
    RecordOp,
    RequireOp,
    WaitOp,
)
from tilewright.ir.dialects.kernel.library import CopyWindowOp, LibraryOp
from tilewright.ir.dialects.kernel.memory import (
    ArriveOp,
    AtomicAddOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    LoadOp,
    OffsetOp,
    StoreOp,
)
from tilewright.ir.dialects.kernel.tiles import (
    ArangeOp,
    ExpandDimsOp,
    FullOp,
    HalvesOp,
    ReshapeOp,
    TransOp,
)
from tilewright.ir.dialects.kernel.types import (
    DescriptorType,
    EventType,
    PointerType,
    element_of,
    is_number,
    shape_of,
    tile_of,
    vector_of,
)

Kernel = collected("kernel", vars())
