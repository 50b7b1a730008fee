"""Split a row at multiples of 16 bytes: an aligned middle, and its edges.

A row whose length is odd starts at any address, and Triton then accesses it element by
element. The middle of the row, from the first multiple of 16 bytes to the last, is
accessed 16 bytes at a time. What is left are fewer than 16 bytes at each end: the
edges, one small tile.

**Before**, in a kernel with `aligned_rows`

    %x = kernel.load (%x_ptr + %start + lanes) mask (lanes < N) ...
    %sum = kernel.reduce %x <add> ...

**After**

    %aligned = (%start + GROUP - 1) / GROUP * GROUP
    %head = %aligned - %start
    %groups = (N - %head) / GROUP
    %x = kernel.load (%x_ptr + %aligned + lanes) mask (lanes / GROUP < %groups) ...
    %x_edge = kernel.load (%x_ptr + %start + %edges) mask ...
    %sum = (kernel.reduce %x <add> ...) + (kernel.reduce %x_edge <add> ...)

The mask of the middle is the same for all elements of a group, so the accesses stay
whole. A loop over the row visits the middle; what its body does to the edges is done
once, before the loop.

**Requires** what `codegen/kernel/row_lanes.py` checks.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.kernel.modules import kernels_of, tile_block
from tilewright.codegen.kernel.row_lanes import row_lanes
from tilewright.codegen.passes.align_rows.edges import Edges
from tilewright.codegen.passes.align_rows.middle import to_middle
from tilewright.codegen.passes.align_rows.split import split_rows


def align_rows(module: ModuleOp) -> ModuleOp:
    """Align the rows of the kernels that ask for it."""
    for kernel in kernels_of(module).values():
        if kernel.aligned_rows is not None:
            block = tile_block(kernel)
            rows = row_lanes(kernel, block)
            split = split_rows(kernel, block, rows)
            Edges(kernel, rows, split).of_block(block)
            to_middle(rows, split)
            del kernel.properties["aligned_rows"]
    return module
