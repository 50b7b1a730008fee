"""affine: index arithmetic, and loops, branches and accesses that maps describe.

    index_ops    apply, min, max, delinearize_index, linearize_index
    expressions  maps that are written over values: `%i + symbol(%n) * 2`
    loops        for and yield
    parallel     parallel
    branches     if
    accesses     load, store, prefetch, vector_load, vector_store

Kernels are generated from scf and vector; loops and accesses of this dialect are for
scripts that rewrite them.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.affine.accesses import (
    LoadOp,
    PrefetchOp,
    StoreOp,
    VectorLoadOp,
    VectorStoreOp,
)
from tilewright.ir.dialects.affine.branches import IfOp
from tilewright.ir.dialects.affine.index_ops import (
    AffineMapOperation,
    ApplyOp,
    DelinearizeIndexOp,
    LinearizeIndexOp,
    MaxOp,
    MinOp,
)
from tilewright.ir.dialects.affine.loops import ForOp, YieldOp
from tilewright.ir.dialects.affine.parallel import ParallelOp
from tilewright.ir.dialects.collected import collected

Affine = collected("affine", vars())
