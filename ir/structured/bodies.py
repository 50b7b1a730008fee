"""What the body of a structured op computes for one element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from tilewright.ir.dialects import affine, arith, func, tensor
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp, YieldOp
from tilewright.ir.structured.combiners import kind_of
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import is_permutation, is_projection_or_zero

_SCALARS = (IntegerType, IndexType, *get_args(AnyFloat))
WIDENINGS = (arith.ExtFOp, arith.ExtSIOp)
"""Conversions that keep every number."""


def yielded(op: StructuredOp) -> Sequence[SSAValue]:
    """The values that the body yields, one for each output."""
    last = op.body.block.last_op
    assert isinstance(last, YieldOp)
    return last.operands


def passes_through(op: StructuredOp) -> bool:
    """Whether the body yields the inputs' elements, in order, and nothing else."""
    arguments = op.body.block.args[: len(op.inputs)]
    return list(yielded(op)) == list(arguments)


def is_straight_line(body: Block) -> bool:
    """Whether a body has no control flow: no regions, no calls."""
    return not any(op.regions or isinstance(op, func.CallOp) for op in body.ops)


def is_elementwise(op: StructuredOp) -> bool:
    """Whether scalar ops compute each element of the outputs on its own.

    As upstream, the body may use indices and read elements of other tensors.
    """
    if any(is_reduction(op, loop) for loop in range(op.get_num_loops())):
        return False
    if not all(is_projection_or_zero(map_) for map_ in op.maps):
        return False
    if not all(is_permutation(map_) for map_ in op.maps[len(op.inputs) :]):
        return False
    return all(_is_scalar(nested) for nested in op.body.block.ops)


def _is_scalar(op: Operation) -> bool:
    """Whether upstream allows an op in the body of an elementwise op."""
    if not all(isinstance(t, _SCALARS) for t in op.result_types):
        return False
    if isinstance(op, IndexOp | YieldOp | tensor.ExtractOp | affine.ApplyOp):
        return True
    return op.name.startswith(("arith.", "math."))


def operand_behind(
    op: StructuredOp,
    value: SSAValue,
    through: tuple[type[Operation], ...] = WIDENINGS,
) -> int | None:
    """The operand whose element a value is, perhaps converted; None without one.

    `through` lists the conversions that are looked through.
    """
    while isinstance(value.owner, through):
        value = value.owner.operands[0]
    if isinstance(value, BlockArgument) and value.block is op.body.block:
        return value.index
    return None


def captured_values(op: StructuredOp) -> Iterator[SSAValue]:
    """The values from outside of the op that its body reads, once for each read."""
    for nested in op.body.walk():
        for value in nested.operands:
            owner = value.owner
            inside = owner.parent_op() if isinstance(owner, Block) else owner
            if inside is None or (inside is not op and not op.is_ancestor(inside)):
                yield value


def same_body(body: Region, other: Region, order: Sequence[int], *, swap: bool) -> bool:
    """Whether two bodies compute the same by the same ops.

    Argument i of `other` is argument `order[i]` of `body`. With `swap`, the operands
    of a commutative op may change places.
    """
    left, right = body.block.last_op, other.block.last_op
    assert left is not None and right is not None

    def same(one: SSAValue, another: SSAValue) -> bool:
        if isinstance(one, BlockArgument) or isinstance(another, BlockArgument):
            return (
                isinstance(one, BlockArgument)
                and isinstance(another, BlockArgument)
                and one.block is body.block
                and order[another.index] == one.index
            )
        made, wanted = one.owner, another.owner
        assert isinstance(made, Operation) and isinstance(wanted, Operation)
        if made.name != wanted.name or made.properties != wanted.properties:
            return False
        if one.type != another.type:
            return False
        if all_same(made.operands, wanted.operands):
            return True
        # Every combiner of the table is commutative.
        is_commutative = kind_of(made) is not None
        return (
            swap and is_commutative and all_same(made.operands, wanted.operands[::-1])
        )

    def all_same(ones: Sequence[SSAValue], others: Sequence[SSAValue]) -> bool:
        return len(ones) == len(others) and all(map(same, ones, others))

    return all_same(left.operands, right.operands)
