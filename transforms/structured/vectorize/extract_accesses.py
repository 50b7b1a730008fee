"""How the lanes of a vectorized op access a tensor that its body extracts from."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from tilewright.ir.dialects import affine, arith, tensor
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.transforms.core.base import TransformOp


class Access(Enum):
    """The ways of access, from cheap to dear."""

    SCALAR = auto()
    """All lanes read one element."""
    CONTIGUOUS = auto()
    """Lane by lane the next element of a row."""
    GATHER = auto()
    """Each lane has an index of its own."""


def check_extracts(user: TransformOp, op: Operation, *, any_rank: bool) -> None:
    """Refuse bodies that extract elements where upstream refuses them."""
    for nested in op.walk():
        if not isinstance(nested, tensor.ExtractOp):
            continue
        if len(nested.indices) != 1 and not any_rank:
            raise user.refuse(
                f"the body extracts an element by {len(nested.indices)} indices",
                op,
                remedy="set vectorize_nd_extract",
            )
        if isinstance(op, StructuredOp) and not op.get_iterator_types().data:
            raise user.refuse(
                "an op without loops extracts an element",
                op,
                remedy="leave it as it is",
            )


def access_of(
    op: StructuredOp, extract: tensor.ExtractOp, vector_sizes: Sequence[int]
) -> Access:
    """How lanes access the tensor; a gather where that is not known."""
    shape = shape_of(extract.tensor.type)
    if not shape:
        return Access.SCALAR
    varying = [loop for loop, size in enumerate(vector_sizes) if size != 1]
    if len(varying) != 1:
        return Access.GATHER
    indices = list(extract.indices)
    body, loop = op.body.block, varying[0]
    once = [at for at, extent in enumerate(loop_extents(op)) if extent == 1]
    for extent, index in zip(shape[:-1], indices[:-1], strict=True):
        if extent != 1 and not _is_invariant(index, body, once):
            return Access.GATHER
    if _is_invariant(indices[-1], body, once):
        return Access.SCALAR
    is_row = loop == len(vector_sizes) - 1
    if is_row and _steps_by_one(indices[-1], body, loop, once):
        return Access.CONTIGUOUS
    return Access.GATHER


def loop_extents(op: StructuredOp) -> list[int]:
    """The extents of the loops as the types of the operands give them."""
    found = [DYNAMIC_INDEX] * len(op.get_iterator_types().data)
    for operand, map_ in zip(op.operands, op.maps, strict=True):
        if not is_tensor(operand.type) and not is_buffer(operand.type):
            continue
        for extent, expr in zip(shape_of(operand.type), map_.results, strict=True):
            position = getattr(expr, "position", None)
            if position is not None and extent != DYNAMIC_INDEX:
                found[position] = extent
            elif position is not None and found[position] == DYNAMIC_INDEX:
                found[position] = extent
    return found


def _owner(value: SSAValue, body: Block) -> Operation | None:
    """The op of the body that defines a value; None for values from outside."""
    owner = value.owner
    return owner if isinstance(owner, Operation) and owner.parent is body else None


def _is_invariant(value: SSAValue, body: Block, once: Sequence[int]) -> bool:
    """Whether a value is the same in all iterations; `once` are loops of extent 1."""
    if isinstance(value, BlockArgument):
        return value.block is not body
    owner = _owner(value, body)
    if isinstance(owner, IndexOp):
        return owner.dim.value.data in once
    return owner is None or all(
        _is_invariant(operand, body, once) for operand in owner.operands
    )


def _steps_by_one(value: SSAValue, body: Block, loop: int, once: Sequence[int]) -> bool:
    """Whether a value is the loop's index, plus something that does not change."""
    owner = _owner(value, body)
    if isinstance(owner, IndexOp):
        return owner.dim.value.data == loop
    if isinstance(owner, affine.ApplyOp):
        addends = _addends(owner)
    elif isinstance(owner, arith.AddiOp):
        addends = [[operand] for operand in owner.operands]
    else:
        return False
    moving = [
        values
        for values in addends
        if not all(_is_invariant(value, body, once) for value in values)
    ]
    if len(moving) != 1 or len(moving[0]) != 1:
        return False
    return _steps_by_one(moving[0][0], body, loop, once)


def _addends(op: affine.ApplyOp) -> list[list[SSAValue]]:
    """The operands that each addend reads: a plain operand just itself, once."""
    map_ = op.map.data
    dims, symbols = op.operands[: map_.num_dims], op.operands[map_.num_dims :]

    def split(expr: AffineExpr) -> list[list[SSAValue]]:
        match expr:
            case AffineDimExpr(position=at):
                return [[dims[at]]]
            case AffineSymExpr(position=at):
                return [[symbols[at]]]
            case AffineBinaryOpExpr(kind=kind, lhs=left, rhs=right):
                parts = [*split(left), *split(right)]
                if kind is AffineBinaryOpKind.Add:
                    return parts
                # A factor that changes must not pass for a plain operand.
                return [[value for part in parts for value in part] * 2]
            case _:
                return []

    return split(map_.results[0])
