"""How the lanes of a vectorized op access a tensor that its body extracts from."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith, tensor
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
    extents = loop_extents(op)
    varying = [loop for loop, extent in enumerate(extents) if extent != 1]
    if DYNAMIC_INDEX in extents or len(varying) != 1:
        return Access.GATHER
    indices = list(extract.indices)
    body, loop = op.body.block, varying[0]
    for extent, index in zip(shape[:-1], indices[:-1], strict=True):
        if extent != 1 and not _is_invariant(index, body, loop):
            return Access.GATHER
    if _is_invariant(indices[-1], body, loop):
        return Access.SCALAR
    is_row = loop == len(extents) - 1
    if is_row and _steps_by_one(indices[-1], body, loop):
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


def _is_invariant(value: SSAValue, body: Block, loop: int) -> bool:
    """Whether a value is the same in all iterations of the loop."""
    if isinstance(value, BlockArgument):
        return value.block is not body
    owner = _owner(value, body)
    if isinstance(owner, IndexOp):
        return owner.dim.value.data != loop
    return owner is None or all(
        _is_invariant(operand, body, loop) for operand in owner.operands
    )


def _steps_by_one(value: SSAValue, body: Block, loop: int) -> bool:
    """Whether a value is the loop's index, plus something that does not change."""
    owner = _owner(value, body)
    if isinstance(owner, IndexOp):
        return owner.dim.value.data == loop
    if not isinstance(owner, arith.AddiOp):
        return False
    fixed = [_is_invariant(operand, body, loop) for operand in owner.operands]
    if fixed.count(True) != 1:
        return False
    return _steps_by_one(owner.operands[fixed.index(False)], body, loop)
