"""Copy by kernels: tiles inside a grid, and parts of buffers outside of any grid.

**Before** (buffer level)

    scf.forall (%i) in (8) {
      %from = memref.subview %x[%o] [128] [1] : ...
      %to = memref.subview %y[%o] [128] [1] : ...
      memref.copy %from, %to : ...
    }
    %from = memref.subview %x[17] [11] [2] : memref<40xf32> to memref<11xf32, ...>
    memref.copy %from, %y : ...

**After** `vectorize_copies`, the copy in the grid is a `vector.transfer_read` of
`%from` and a `vector.transfer_write` into `%to`. A payload that only copies has such
grids: its tiles hold nothing to compute. **Requires** tiles of static sizes that are
powers of two, of different buffers.

**After** `launch_copies`, the other copy is a grid whose programs read a tile of
`%from` and write it into `%y`. The launcher copies whole buffers, and windows at static
offsets without gaps. A slice in steps, one without some dimensions of its buffer, and
one that begins where the data says need a kernel. Two parts of one buffer are copied by
way of a third buffer: a kernel does not read one tile of a buffer and write another.

Other copies stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.codegen.analysis.copied_windows import is_launcher_copy
from tilewright.codegen.analysis.elements.reshapes import base_of
from tilewright.ir.dialects import affine, arith, func, memref, ub, vector
from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.types import buffer_type

_COLUMNS, _ELEMENTS = 128, 1024
"""The longest row of a tile, and the most elements of one."""


def vectorize_copies(module: ModuleOp) -> ModuleOp:
    """Turn copies in grids into transfers, in a copy of the module if there are any."""
    if not any(_is_tile_copy(op) for op in module.walk()):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if isinstance(op, CopyOp) and _is_tile_copy(op):
            _vectorize(op)
    return module


def _is_tile_copy(op: Operation) -> bool:
    if not isinstance(op, CopyOp) or not _is_in_grid(op):
        return False
    shape = buffer_type(op.source).get_shape()
    return (
        bool(shape)
        and shape == buffer_type(op.target).get_shape()
        and all(size > 0 and size & (size - 1) == 0 for size in shape)
        and base_of(op.source) is not base_of(op.target)
    )


def _is_in_grid(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ForallOp):
        parent = parent.parent_op()
    return parent is not None


def _vectorize(op: CopyOp) -> None:
    shape = buffer_type(op.source).get_shape()
    zero = arith.ConstantOp(IntegerAttr.from_index_int_value(0))
    starts, inside = [zero.result] * len(shape), [True] * len(shape)
    _replace(op, [zero, *_transfers(op.source, op.target, starts, shape, inside)])


def launch_copies(module: ModuleOp) -> ModuleOp:
    """Turn such copies into grids, in a copy of the module if there are any."""
    if not any(_needs_kernel(op) for op in module.walk()):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if isinstance(op, CopyOp) and _needs_kernel(op):
            _launch(op)
    return module


def _needs_kernel(op: Operation) -> bool:
    if not isinstance(op, CopyOp) or not isinstance(op.parent_op(), func.FuncOp):
        return False
    shapes = {buffer_type(value).get_shape() for value in (op.source, op.target)}
    return len(shapes) == 1 and not is_launcher_copy(op)


def _launch(op: CopyOp) -> None:
    source, made = op.source, list[Operation]()
    if base_of(source) is base_of(op.target):
        of = buffer_type(source)
        sizes = _open_sizes(source)
        plain = MemRefType(of.element_type, of.get_shape())
        between = memref.AllocOp([op.results[0] for op in sizes.values()], [], plain)
        made += [*_with_constants(sizes), between, *_copied(source, between.memref)]
        source = between.memref
    _replace(op, [*made, *_copied(source, op.target)])


def _replace(op: CopyOp, made: Sequence[Operation]) -> None:
    """Put ops in the place of a copy, with its location."""
    block = op.parent
    assert block is not None
    for new in made:
        for inner in new.walk():
            inner.location = op.location
        block.insert_op_before(new, op)
    op.detach()
    op.erase()


def _transfers(
    source: SSAValue,
    target: SSAValue,
    starts: Sequence[SSAValue],
    tile: Sequence[int],
    in_bounds: Sequence[bool],
) -> list[Operation]:
    """Read a tile of one view, and write it into another.

    A lane beyond the end of its dimension is neither read nor written.
    """
    of = buffer_type(source).element_type
    nothing = ub.PoisonOp(of)
    inside = ArrayAttr([BoolAttr.from_bool(one) for one in in_bounds])
    order = AffineMapAttr(AffineMap.identity(len(tile)))
    lanes = VectorType(of, tile)
    read = vector.TransferReadOp(source, starts, nothing.result, lanes, inside, order)
    write = vector.TransferWriteOp(read.result, target, starts, inside, None, order)
    return [nothing, read, write]


def _copied(source: SSAValue, target: SSAValue) -> list[Operation]:
    """A grid that copies one view to another of the same shape."""
    shape = buffer_type(source).get_shape()
    if 0 in shape:
        return []
    tile, sizes = _tile(shape), _open_sizes(source)
    counts: list[SSAValue | int] = []
    made = _with_constants(sizes)
    for dim, (size, part) in enumerate(zip(shape, tile, strict=True)):
        if dim not in sizes:
            counts.append(-(-size // part))
            continue
        tiles = AffineMap(0, 1, (AffineExpr.symbol(0).ceil_div(part),))
        count = affine.ApplyOp([sizes[dim].result], AffineMapAttr(tiles))
        made.append(count)
        counts.append(count.result)
    # A buffer without dimensions has one element.
    loops = max(len(shape), 1)
    body = Block(arg_types=[IndexType()] * loops)
    starts: list[SSAValue] = []
    for index, part in zip(body.args, tile, strict=False):
        scaled = AffineMap(1, 0, (AffineExpr.dimension(0) * part,))
        start = affine.ApplyOp([index], AffineMapAttr(scaled))
        body.add_op(start)
        starts.append(start.result)
    inside = [
        size != DYNAMIC_INDEX and size % part == 0
        for size, part in zip(shape, tile, strict=True)
    ]
    body.add_ops([*_transfers(source, target, starts, tile, inside), InParallelOp()])
    grid = ForallOp(
        [0] * loops, counts or [1], [1] * loops, [], Region(body), _mapping(loops)
    )
    return [*made, grid]


def _open_sizes(buffer: SSAValue) -> dict[int, memref.DimOp]:
    """The sizes of a buffer that its type leaves open, by dimension."""
    found: dict[int, memref.DimOp] = {}
    for dim, size in enumerate(buffer_type(buffer).get_shape()):
        if size == DYNAMIC_INDEX:
            number = arith.ConstantOp(IntegerAttr.from_index_int_value(dim))
            found[dim] = memref.DimOp(buffer, number.result)
    return found


def _with_constants(sizes: Mapping[int, memref.DimOp]) -> list[Operation]:
    """Sizes in the order of dimensions, each after the number of its dimension."""
    numbers = (op.index.owner for op in sizes.values())
    pairs = zip(numbers, sizes.values(), strict=True)
    return [one for pair in pairs for one in pair if isinstance(one, Operation)]


def _tile(shape: Sequence[int]) -> list[int]:
    """A power of two along each dimension, the longest along the last."""
    tile: list[int] = []
    longest, left = _COLUMNS, _ELEMENTS
    for size in reversed(shape):
        whole = longest if size == DYNAMIC_INDEX else 1 << (size - 1).bit_length()
        tile.insert(0, min(whole, longest))
        left //= tile[0]
        longest = left
    return tile


def _mapping(loops: int) -> ArrayAttr[Attribute]:
    names = [MappingId.X, MappingId.Y, MappingId.Z]
    if loops > len(names):
        names = [MappingId(f"linear_dim_{loop}") for loop in range(loops)]
    return ArrayAttr([BlockMappingAttr(name) for name in reversed(names[:loops])])
