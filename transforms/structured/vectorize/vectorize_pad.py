"""Vectorize `tensor.pad` as one masked read that pads the lanes past the end.

Before:
    %r = tensor.pad %x low[0] high[%h] { ... yield %c } : tensor<?xf32> to tensor<8xf32>

After `vectorize %r vector_sizes [8]`:
    %k = vector.create_mask %n : vector<8xi1>
    %v = vector.mask %k { vector.transfer_read %x[%c0], %c ... } : ... -> vector<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %r = vector.transfer_write %v, %e[%c0] ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, VectorType, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.vector import (
    CreateMaskOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.errors import UserError
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import (
    Extent,
    OpList,
    dim_size,
    evaluate,
    known_size,
    upper_bound,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.new_ops import empty
from tilewright.transforms.structured.vectorize.vectorize_structured import (
    all_true,
    check_elements,
)


@dataclass(frozen=True)
class PadPlan:
    """A pad, the vector size that covers each dimension, and the padding."""

    op: tensor.PadOp
    vector_sizes: tuple[int, ...]
    value: SSAValue


def analyze(
    user: TransformOp,
    op: tensor.PadOp,
    sizes: Sequence[int],
    trust: list[UserError] | None = None,
) -> PadPlan:
    """Check that a pad can be vectorized to these sizes, and plan it."""
    check_elements(user, op, [op.result.type])
    shape = tensor_type(op.result).get_shape()
    if not sizes:
        sizes = shape
    if len(sizes) != len(shape):
        raise user.refuse(
            f"{len(sizes)} vector sizes for a tensor of {len(shape)} dimensions", op
        )
    if any(size != 0 for size in mixed(op.static_low, op.low)):
        raise user.refuse("there is padding before the first element", op)
    value = _constant(op)
    if value is None:
        raise user.refuse("the padding depends on the index", op)
    for dim, size in enumerate(sizes):
        bound = shape[dim]
        if bound == DYNAMIC_INDEX:
            bound = _bound(op, dim)
        if bound is None or not 1 <= bound <= size:
            doubt = user.refuse(
                f"vector size {size} does not cover dimension {dim}"
                + (f" of extent {bound}" if bound is not None else ""),
                op,
                "pad to a size that is known, or use a larger vector size",
            )
            if bound is not None or trust is None:
                raise doubt
            trust.append(doubt)
    return PadPlan(op, tuple(sizes), value)


def _constant(op: tensor.PadOp) -> SSAValue | None:
    """The padding, if it is the same everywhere."""
    last = op.region.block.last_op
    assert isinstance(last, tensor.YieldOp)
    value = last.operands[0]
    owner = value.owner
    inside = owner.parent_op() if isinstance(owner, Block) else owner
    if isinstance(owner, arith.ConstantOp) or (
        inside is not None and not op.is_ancestor(inside)
    ):
        return value
    return None


def _bound(op: tensor.PadOp, dim: int) -> int | None:
    """A number that a size of the result never exceeds."""
    parts = [known_size(op.source, dim), mixed(op.static_high, op.high)[dim]]
    bounds = [None if part is None else upper_bound(part) for part in parts]
    known = [bound for bound in bounds if bound is not None]
    return sum(known) if len(known) == len(bounds) else None


def rewrite(plan: PadPlan, rewriter: Rewriter) -> None:
    """Replace the pad by a read and a write."""
    op, new = plan.op, OpList()
    rank = len(plan.vector_sizes)
    of = element_type(op.result.type)
    given = [dim_size(op.source, dim, new) for dim in range(rank)]
    made = _sizes(op, given, new)
    value = plan.value
    if isinstance(value.owner, arith.ConstantOp) and op.is_ancestor(value.owner):
        value = new.add(arith.ConstantOp(value.owner.value))
    zeros = [new.index(0)] * rank
    identity = AffineMapAttr(AffineMap.identity(rank))
    read = TransferReadOp(
        op.source,
        zeros,
        value,
        VectorType(of, plan.vector_sizes),
        all_true(rank),
        identity,
    )
    vector = masked(read, given, plan.vector_sizes, new)
    destination = empty(made, of, new)
    write = TransferWriteOp(
        vector,
        destination,
        zeros,
        all_true(rank),
        permutation_map=identity,
        result_type=destination.type,
    )
    result = masked(write, made, plan.vector_sizes, new)
    for new_op in new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, [result])


def _sizes(op: tensor.PadOp, given: Sequence[Extent], new: OpList) -> list[Extent]:
    """The sizes of the result: those in its type, or computed."""
    total = AffineExpr.dimension(0) + AffineExpr.dimension(1)
    high = mixed(op.static_high, op.high)
    return [
        size
        if size != DYNAMIC_INDEX
        else new.index(evaluate(total, [given[dim], high[dim]], new))
        for dim, size in enumerate(tensor_type(op.result).get_shape())
    ]


def masked(
    op: Operation, extents: Sequence[Extent], sizes: Sequence[int], new: OpList
) -> SSAValue:
    """An op under a mask of its valid lanes, if some are not valid."""
    if list(extents) == list(sizes):
        return new.add(op)
    bounds: list[Operation | SSAValue] = [new.index(extent) for extent in extents]
    mask = new.add(CreateMaskOp(bounds, VectorType(i1, sizes)))
    return new.add(MaskOp(mask, op))
