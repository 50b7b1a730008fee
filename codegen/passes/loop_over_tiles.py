"""A persistent kernel: each program loops over tiles.

**Before**

    %pid = kernel.program_id 0
    kernel.each_tile %pid {
    ^bb0(%tile: i32):
      ...
    }

**After**

    %pid = kernel.program_id 0
    %tiles = kernel.constexpr "TILES" = 12 : i32
    %programs = kernel.num_programs 0
    scf.for %tile = %pid to %tiles step %programs : i32 {
      ...
    }
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.kernel.named_sizes import add_size, read_size
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import EachTileOp, FuncOp, NumProgramsOp


def loop_over_tiles(module: ModuleOp) -> ModuleOp:
    """Turn the work on each tile into a loop, in the kernels that have such work."""
    for kernel in kernels_of(module).values():
        for op in kernel.body.block.ops:
            if isinstance(op, EachTileOp):
                _expand(kernel, op)
                break
    return module


def _expand(kernel: FuncOp, op: EachTileOp) -> None:
    count = op.count
    if count is None:
        tiles = math.prod(kernel.tile_grid)
        count = read_size(add_size(kernel, "TILES", tiles), tiles, op)
    programs = NumProgramsOp(0)
    body = op.body.detach_block(0)
    body.add_op(scf.YieldOp())
    loop = scf.ForOp(op.program, count, programs.result, [], body)
    loop.attributes |= op.attributes
    # The description of a program counts its work tile by tile.
    loop.attributes["kernel.mean_trips"] = IntegerAttr(1, i64)
    loop.location = op.location
    Rewriter.insert_op([programs, loop], InsertPoint.before(op))
    op.detach()
    op.erase()
