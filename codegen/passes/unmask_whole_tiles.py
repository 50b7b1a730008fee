"""Access whole tiles without a mask, where a masked access would be element by element.

The length of a vector decides how many elements share a mask: if it is odd, each has
its own, and Triton accesses them one by one, in all tiles. Only the last tile needs
the mask.

**Before**

    %mask = kernel.compare "lt" %offs, %n
    %x = kernel.load %x_tile mask %mask ...
    kernel.store %out_tile, %y mask %mask

**After**

    scf.if %tile < WHOLE {
      %x = kernel.load %x_tile
      kernel.store %out_tile, %y
    } else {
      ... as before
    }

**Requires** a kernel without loops whose accesses of more than one element all have one
mask, along one axis of known length; a length that is no multiple of 16 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, UnitAttr, VectorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.modules import kernels_of, tile_block
from tilewright.codegen.kernel.named_sizes import add_size, read_size
from tilewright.codegen.targets.accesses import WIDE_LOAD
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CompareOp,
    ConstexprOp,
    FuncOp,
    LoadOp,
    PointerType,
    ReduceOp,
    ReturnOp,
    ScanOp,
    StoreOp,
    element_of,
)
from tilewright.ir.dtypes import byte_width

RARE_ELSE = "kernel.rare_else"
"""The attribute of a branch whose other side few programs take."""


@dataclass(frozen=True)
class Plan:
    """The mask of a kernel's tiles, and the tiles that do not need it."""

    mask: SSAValue
    tile: SSAValue
    """The number of the program's tile."""
    whole: int
    """The number of tiles without a masked-off element."""
    first: Operation
    """The first masked access; ops from here on are in the branches."""


def unmask_whole_tiles(module: ModuleOp) -> ModuleOp:
    """Give kernels with such a mask a branch for their whole tiles."""
    for kernel in kernels_of(module).values():
        block = kernel.body.block
        if tile_block(kernel) is not block:
            continue  # a branch would keep the loop over tiles from overlapping loads
        plan = _plan(block)
        if plan is not None:
            _branch(kernel, block, plan)
    return module


def _plan(block: Block) -> Plan | None:
    accesses = [op for op in block.ops if isinstance(op, LoadOp | StoreOp)]
    tiles = [op for op in accesses if isinstance(op.pointer.type, VectorType)]
    masks = {op.mask for op in tiles}
    simple = not any(
        op.regions or isinstance(op, ReduceOp | ScanOp) for op in block.ops
    )
    if not simple or len(masks) != 1:
        return None
    (mask,) = masks
    compare = mask.owner if mask is not None else None
    if mask is None or not isinstance(compare, CompareOp):
        return None
    if any(use.operation not in tiles for use in mask.uses):
        return None
    length = _constant(compare.rhs)
    start = _tile_start(compare.lhs)
    if compare.predicate.data != "lt" or length is None or start is None:
        return None
    tile, size = start
    if all(length * _width(op) % WIDE_LOAD == 0 for op in tiles) or length < size:
        return None
    return Plan(mask, tile, length // size, tiles[0])


def _width(op: LoadOp | StoreOp) -> int:
    """The bytes of an element that is loaded or stored."""
    of = element_of(op.pointer.type)
    assert isinstance(of, PointerType)
    return byte_width(of.pointee)


def _constant(value: SSAValue) -> int | None:
    """The number that is broadcast to all lanes."""
    owner = value.owner
    if isinstance(owner, vector.BroadcastOp):
        owner = owner.source.owner
    return owner.value.value.data if isinstance(owner, ConstexprOp) else None


def _tile_start(value: SSAValue) -> tuple[SSAValue, int] | None:
    """The tile's number and size, if the lanes are `tile * size + arange`."""
    total = value.owner
    if not isinstance(total, arith.AddiOp) or not isinstance(total.rhs.owner, ArangeOp):
        return None
    start = total.lhs.owner
    product = start.source.owner if isinstance(start, vector.BroadcastOp) else None
    if not isinstance(product, arith.MuliOp):
        return None
    size = _constant(product.rhs)
    kind = value.type
    if size is None or not isinstance(kind, VectorType):
        return None
    return (product.lhs, size) if kind.get_shape() == (size,) else None


def _branch(kernel: FuncOp, block: Block, plan: Plan) -> None:
    """Put the ops from the first access on into both sides of a branch."""
    ops = list(block.ops)
    moved = [op for op in ops[ops.index(plan.first) :] if not isinstance(op, ReturnOp)]
    whole = Block()
    values: dict[SSAValue, SSAValue] = {}
    for op in moved:
        copy = _without_mask(op, values) or op.clone(values)
        copy.location = op.location
        for old, new in zip(op.results, copy.results, strict=True):
            values[old] = new
            new.name_hint = old.name_hint
        whole.add_op(copy)
    whole.add_op(scf.YieldOp())
    limit = read_size(add_size(kernel, "WHOLE", plan.whole), plan.whole, plan.first)
    is_whole = CompareOp("lt", plan.tile, limit)
    Rewriter.insert_op(is_whole, InsertPoint.before(plan.first))
    rest = Block()
    branch = scf.IfOp(is_whole.result, [], Region(whole), Region(rest))
    branch.attributes[RARE_ELSE] = UnitAttr()
    Rewriter.insert_op(branch, InsertPoint.before(plan.first))
    for op in moved:
        op.detach()
    rest.add_ops([*moved, scf.YieldOp()])


def _without_mask(
    op: Operation, values: dict[SSAValue, SSAValue]
) -> LoadOp | StoreOp | None:
    """A masked access as one of all lanes; None for other ops."""
    if isinstance(op, LoadOp):
        made = LoadOp(values.get(op.pointer, op.pointer))
    elif isinstance(op, StoreOp):
        pointer, value = op.pointer, op.value
        made = StoreOp(values.get(pointer, pointer), values.get(value, value))
    else:
        return None
    made.eviction, made.cache = op.eviction, op.cache
    made.attributes |= op.attributes
    return made
