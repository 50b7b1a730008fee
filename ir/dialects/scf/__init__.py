"""scf: loops, branches and the parallel grid.

    branches    if, index_switch, execute_region and yield
    loops       for
    forall      forall, which codegen turns into a launch grid
    parallel    parallel and its reductions

All ops are our own: xDSL lacks `forall`, unsigned loops and the short form of
`parallel`, and does not compare the values that the branches of an `if` yield. Imports
only `ir/types.py`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from tilewright.ir.dialects.collected import collected
from tilewright.ir.dialects.scf.branches import (
    ExecuteRegionOp,
    IfOp,
    IndexSwitchOp,
    YieldOp,
)
from tilewright.ir.dialects.scf.forall import ForallOp, InParallelOp, mixed, split
from tilewright.ir.dialects.scf.loops import ForOp
from tilewright.ir.dialects.scf.parallel import ParallelOp, ReduceOp, ReduceReturnOp

Scf = collected("scf", vars())
