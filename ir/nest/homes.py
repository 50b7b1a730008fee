"""Where a value is, in memory or on chip, and how large it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ShapedType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import arith, kernel, memref, scf, tensor, vector
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.errors import UserError
from tilewright.ir.indexing.ranges import PROVEN
from tilewright.ir.types import is_buffer

Where: TypeAlias = Literal["memory", "chip"]

VIEWS = frozenset[type[Operation]](
    (
        tensor.ExtractSliceOp,
        tensor.CollapseShapeOp,
        tensor.ExpandShapeOp,
        tensor.CastOp,
        tensor.ReshapeOp,
        memref.SubviewOp,
        memref.CastOp,
        memref.CollapseShapeOp,
        memref.ExpandShapeOp,
        memref.ReinterpretCastOp,
        memref.TransposeOp,
        vector.BroadcastOp,
        vector.ShapeCastOp,
        vector.TransposeOp,
        vector.ExtractOp,
        vector.ExtractStridedSliceOp,
        kernel.OffsetOp,
        kernel.ExpandDimsOp,
        kernel.ReshapeOp,
        kernel.TransOp,
    )
)
"""Ops that name a part or another shape of their first operand."""


@dataclass(frozen=True)
class Home:
    """The tensor or the buffer that a value is a part of, and where that is."""

    value: SSAValue
    where: Where | None
    """None for what is nowhere: an empty tensor, a constant with one value."""


def home_of(value: SSAValue) -> Home:
    """Follow views, and what a grid or a loop calls its operand."""
    while True:
        owner = value.owner
        if isinstance(value, BlockArgument):
            outer = _outer(value)
            if outer is None:
                return Home(
                    value, "chip" if in_grid(value.block.parent_op()) else "memory"
                )
            value = outer
        elif type(owner) in VIEWS:
            assert isinstance(owner, Operation)
            value = owner.operands[0]
        elif isinstance(owner, tensor.EmptyOp) or _is_splat(owner):
            return Home(value, None)
        else:
            assert isinstance(owner, Operation)
            return Home(value, "chip" if in_grid(owner) else "memory")


def _outer(value: BlockArgument) -> SSAValue | None:
    """What a block's argument is outside of the block; None if that is itself."""
    op = value.block.parent_op()
    if isinstance(op, scf.ForallOp) and value.index >= op.rank:
        return op.outputs[value.index - op.rank]
    if isinstance(op, scf.ForOp) and value.index and not _is_data(value.type):
        return op.iter_args[value.index - 1]
    return None


def _is_data(type_: Attribute) -> bool:
    """Whether a value of this type is data, not the address of some."""
    return not is_buffer(type_) and kernel_element(type_) is None


def kernel_element(type_: Attribute) -> Attribute | None:
    """The type that a pointer, a tile of pointers or a descriptor points at."""
    if isinstance(type_, ShapedType):
        type_ = type_.get_element_type()  # pyright: ignore
    if isinstance(type_, kernel.PointerType):
        return type_.pointee
    return None


_GRIDS = frozenset[type[Operation]]((scf.ForallOp, kernel.FuncOp))


def in_grid(op: Operation | None) -> bool:
    """Whether an op is inside a grid or a kernel."""
    while op is not None:
        parent = op.parent_op()
        # This is asked of every value: no isinstance on ops, which goes through abc.
        if type(parent) in _GRIDS:
            return True
        op = parent
    return False


def _is_splat(owner: object) -> bool:
    if not isinstance(owner, arith.ConstantOp):
        return isinstance(owner, kernel.FullOp)
    value = owner.value
    return not isinstance(value, DenseIntOrFPElementsAttr) or value.is_splat()


# -- sizes -----------------------------------------------------------------------------


def shape_of(value: SSAValue) -> list[int | None]:
    """The extents of a value; of a tile that edges cut off, those of a whole tile."""
    if not isinstance(value.type, ShapedType):
        return []
    shape = [None if extent < 0 else extent for extent in value.type.get_shape()]
    if None not in shape:
        return shape
    known = _whole_tile(value, len(shape))
    pairs = zip(shape, known, strict=True)
    return [k if extent is None else extent for extent, k in pairs]


def read_shape(value: SSAValue) -> list[int | None]:
    """The extents that are moved: lanes that repeat others are not read again."""
    shape, owner = shape_of(value), value.owner
    if not isinstance(owner, vector.TransferReadOp):
        return shape
    results = owner.permutation_map.data.results
    return [
        extent
        for extent, result in zip(shape, results, strict=True)
        if isinstance(result, AffineDimExpr)
    ]


def _whole_tile(value: SSAValue, rank: int) -> list[int | None]:
    owner = value.owner
    position = value.index if isinstance(value, OpResult) else 0
    match owner:
        case tensor.ExtractSliceOp() | memref.SubviewOp():
            sizes = [PROVEN.highest(size) for size in _slice_sizes(owner)]
            return sizes if len(sizes) == rank else [None] * rank
        case StructuredOp():
            return shape_of(owner.outputs[position])
        case vector.TransferWriteOp():
            return shape_of(owner.source)
        case tensor.InsertSliceOp():
            return shape_of(owner.dest)
        case scf.ForOp():
            return shape_of(owner.iter_args[position])
        case _:
            pass
    if isinstance(value, BlockArgument):
        op = value.block.parent_op()
        if isinstance(op, scf.ForOp) and value.index:
            return shape_of(op.iter_args[value.index - 1])
    return [None] * rank


def _slice_sizes(op: tensor.ExtractSliceOp | memref.SubviewOp) -> list[SSAValue | int]:
    return scf.mixed(op.static_sizes, iter(op.sizes))


def element_of(value: SSAValue) -> Attribute:
    """The type of a value's elements; of a pointer, that of what it points at."""
    if (pointed := kernel_element(value.type)) is not None:
        return pointed
    if isinstance(value.type, ShapedType):
        return value.type.get_element_type()  # pyright: ignore
    return value.type


def bytes_of(value: SSAValue) -> int | None:
    """The bytes of a value; None if its size is not known."""
    shape = read_shape(value)
    if None in shape:
        return None
    try:
        return math.prod(e for e in shape if e is not None) * byte_width(
            element_of(value)
        )
    except UserError:
        return 0  # an index or a token, which is no data
