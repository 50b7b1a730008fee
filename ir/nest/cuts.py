"""The result that a grid cuts into tiles, and the size of a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import kernel, memref, scf, tensor, vector
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.indexing.index_ops import depends_on
from tilewright.ir.indexing.ranges import PROVEN
from tilewright.ir.nest.homes import home_of, shape_of
from tilewright.ir.nest.names import Names
from tilewright.ir.nest.tree import Cut

Tiles = list[int | None] | None


def cut_of_grid(op: scf.ForallOp, names: Names) -> tuple[Cut | None, Tiles]:
    """The first result of a grid, its tile, and the tile size along each dimension."""
    for position, insert in enumerate(_inserts(op)):
        offsets, sizes, _ = slice_of(insert)
        tile = [PROVEN.highest(size) for size in sizes]
        name = names.name(op.results[position]) if op.results else ""
        cut = Cut(name, shape_of(home_of(insert.dest).value), tile)
        return cut, _along(op, offsets, tile)
    for inner in op.walk():
        if isinstance(inner, vector.TransferWriteOp):
            view = _outermost(inner.source)
            if view is not None and home_of(view.source).where == "memory":
                offsets = scf.mixed(view.static_offsets, iter(view.offsets))
                sizes = scf.mixed(view.static_sizes, iter(view.sizes))
                tile = [PROVEN.highest(size) for size in sizes]
                base = home_of(view.source).value
                cut = Cut(names.name(base), shape_of(base), tile)
                return cut, _along(op, offsets, tile)
    return None, None


def _inserts(op: scf.ForallOp) -> list[tensor.ParallelInsertSliceOp]:
    last = op.body.block.last_op
    if not isinstance(last, scf.InParallelOp):
        return []
    ops = last.region.block.ops
    return [each for each in ops if isinstance(each, tensor.ParallelInsertSliceOp)]


def _outermost(value: SSAValue) -> memref.SubviewOp | None:
    """The view that is taken of the buffer itself."""
    found: memref.SubviewOp | None = None
    while isinstance(owner := value.owner, Operation) and owner.operands:
        if isinstance(owner, memref.SubviewOp):
            found = owner
        value = owner.operands[0]
    return found


def _along(
    op: scf.ForallOp, offsets: Sequence[SSAValue | int], tile: Sequence[int | None]
) -> Tiles:
    """The extent of a tile along the dimension that each index of the grid moves."""
    indices = op.body.block.args[: op.rank]
    found: list[int | None] = [None] * op.rank
    for offset, size in zip(offsets, tile, strict=True):
        for position, index in enumerate(indices):
            if isinstance(offset, SSAValue) and depends_on(offset, index):
                found[position] = size
    return found


def cut_of_kernel(
    body: kernel.FuncOp, buffers: Mapping[SSAValue, SSAValue], names: Names
) -> tuple[Cut | None, Tiles]:
    """The same for a kernel, by its first store."""
    for op in body.walk():
        if not isinstance(op, kernel.StoreOp | kernel.DescriptorStoreOp):
            continue
        pointer = op.pointer if isinstance(op, kernel.StoreOp) else op.descriptor
        parameter = home_of(pointer).value
        if (buffer := buffers.get(parameter)) is None:
            continue
        tile, shape = shape_of(op.value), shape_of(buffer)
        tiles = tile if len(tile) == len(body.tile_grid) else None
        whole: list[int | None] = [1] * (len(shape) - len(tile))
        return Cut(names.name(buffer), shape, [*whole, *tile]), tiles
    return None, None
