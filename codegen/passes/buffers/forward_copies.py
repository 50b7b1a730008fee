"""Remove a copy that a grid only updates: the grid reads the original instead.

**Before** (buffer level)

    memref.copy %c, %r
    scf.forall (%i, %j) in (4, 4) {
      %tile = memref.subview %r[...]
      %acc = vector.transfer_read %tile ...
      ...
      vector.transfer_write %sum, %tile ...
    }

**After**: `%acc` is read from the same place of `%c`, and the copy is gone.

**Requires** static sizes. The grid writes every element of `%r`. An iteration reads
only the tile of `%r` that it writes afterwards, and does not access `%c`. Other copies
stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import BlockArgument, SSAValue

from tilewright.codegen.analysis.elements.atoms import Atom, Linear
from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.reshapes import Reshape
from tilewright.codegen.analysis.elements.views import Access, access_of
from tilewright.codegen.analysis.hazards import same_tile
from tilewright.ir.dialects import memref, vector
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.types import buffer_type

Transfer = vector.TransferReadOp | vector.TransferWriteOp


def forward_copies(module: ModuleOp) -> ModuleOp:
    """Remove such copies, in a copy of the module if there are any."""
    if not any(_reads(op) for op in module.walk() if isinstance(op, CopyOp)):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if isinstance(op, CopyOp) and (reads := _reads(op)):
            for read in reads:
                _read_from(read, op.target, op.source)
            op.detach()
            op.erase()
    return module


def _reads(copy: CopyOp) -> Sequence[vector.TransferReadOp]:
    """The reads that can go to the original; none where the copy must stay."""
    grid = _next_grid(copy)
    if grid is None or not _are_whole(copy):
        return ()
    if any(_is_reshaped(buffer) for buffer in (copy.source, copy.target)):
        return ()
    if any(grid.is_ancestor(use.operation) for use in copy.source.uses):
        return ()
    transfers = _transfers(copy.target, grid)
    reads = [op for op in transfers if isinstance(op, vector.TransferReadOp)]
    writes = [op for op in transfers if isinstance(op, vector.TransferWriteOp)]
    body = grid.body.block
    if len(writes) != 1 or any(op.parent is not body for op in transfers):
        return ()
    order = {op: place for place, op in enumerate(body.ops)}
    if any(order[read] > order[writes[0]] for read in reads):
        return ()
    indices = Indices()
    atoms: dict[Atom, int] = {}
    for index, count in zip(grid.induction_vars, grid.upper_bounds, strict=True):
        if not isinstance(count, int):
            return ()
        atoms[indices.define(index, 0, max(count - 1, 0), 0, is_open=False)] = count
    try:
        written = access_of(writes[0], indices)
        accesses = [access_of(read, indices) for read in reads]
    except SilenceableFailure:
        return ()  # Lowering refuses it.
    if not _covers(written, atoms):
        return ()
    return reads if all(same_tile(read, written) for read in accesses) else ()


def _is_reshaped(buffer: SSAValue) -> bool:
    """Whether a buffer is also accessed in another shape."""
    return any(isinstance(use.operation, Reshape) for use in buffer.uses)


def _next_grid(copy: CopyOp) -> ForallOp | None:
    """The grid after a copy, if no op in between uses the two buffers."""
    op = copy.next_op
    while op is not None and not isinstance(op, ForallOp):
        is_harmless = copy.target not in op.operands and (
            copy.source not in op.operands
            or (isinstance(op, CopyOp) and op.target is not copy.source)
        )
        if op.regions or not is_harmless:
            return None
        op = op.next_op
    return op if isinstance(op, ForallOp) and op.is_normalized else None


def _are_whole(copy: CopyOp) -> bool:
    """Whether a copy's operands are whole buffers of the same static shape."""
    if copy.source.type != copy.target.type or copy.source is copy.target:
        return False
    own = isinstance(copy.source, BlockArgument) or isinstance(
        copy.source.owner, memref.AllocOp
    )
    is_new = isinstance(copy.target.owner, memref.AllocOp)
    return own and is_new and DYNAMIC_INDEX not in buffer_type(copy.source).get_shape()


def _transfers(buffer: SSAValue, grid: ForallOp) -> list[Transfer]:
    """The transfers of a buffer in a grid; none where it has other uses too."""
    found: list[Transfer] = []
    for use in buffer.uses:
        op = use.operation
        if not grid.is_ancestor(op):
            continue
        users = [op]
        if isinstance(op, memref.SubviewOp):
            users = [inner.operation for inner in op.result.uses]
        for user in users:
            if not isinstance(user, Transfer):
                return []
            found.append(user)
    return found


def _covers(written: Access, indices: dict[Atom, int]) -> bool:
    """Whether the tiles cover the whole buffer, the last ones partly."""
    left = dict(indices)
    for dim, size in enumerate(written.sizes):
        start, lane = written.starts[dim], written.lanes[dim]
        length = 1 if lane is None else written.shape[lane]
        count = 1
        if start != Linear():
            if start.constant or len(start.terms) != 1:
                return False
            ((atom, step),) = start.terms.items()
            count = left.pop(atom, 0)
            if step != length:
                return False
        if not size.is_constant or count * length < size.constant:
            return False
    is_cut_at_the_end = all(
        written.limit_in_base(bound) == written.sizes[bound.dim]
        for bound in written.bounds
    )
    return (
        is_cut_at_the_end
        and written.mask is None
        and set(written.steps) <= {1}
        and all(count == 1 for count in left.values())
    )


def _read_from(
    read: vector.TransferReadOp, buffer: SSAValue, original: SSAValue
) -> None:
    view = read.source.owner
    source = original
    if isinstance(view, memref.SubviewOp):
        made = view.clone({buffer: original})
        made.location = view.location
        block = read.parent
        assert block is not None
        block.insert_op_before(made, read)
        source = made.result
    position = list(read.operands).index(read.source)
    read.operands[position] = source
